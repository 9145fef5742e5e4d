"""Configuration: vocabulary of keys, check of values, defaults and rules."""
