"""A person's edits of documents, one by one and as a folder of Markdown files."""
