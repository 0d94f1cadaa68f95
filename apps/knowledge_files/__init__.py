"""Files of an organisation that become entries of its knowledge."""
