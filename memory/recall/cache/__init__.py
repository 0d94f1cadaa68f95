"""The recall rows of people who go on talking, kept in the process as arrays and scored there."""
