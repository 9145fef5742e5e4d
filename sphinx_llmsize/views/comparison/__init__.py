"""The views of several models side by side."""
