"""Readers of configuration text: YAML, JSON, Python, files and presets."""
