"""What is drawn besides the usual keys, for the families that need it."""
