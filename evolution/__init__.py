"""What the background graph carries from what was said to what is remembered."""
