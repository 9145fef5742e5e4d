"""Configuration: the known keys, checks of their values, defaults and rules."""
