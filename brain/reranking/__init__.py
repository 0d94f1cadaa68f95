"""Models that read memories beside the question, where one is switched on."""
