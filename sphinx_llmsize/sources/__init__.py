"""From text to a mapping whose entries know their lines: YAML, JSON, Python, files, presets."""
