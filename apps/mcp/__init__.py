"""Brain's memory as tools of the Model Context Protocol, over stdio and HTTP alike."""
