"""Changes to a model's configuration: keys with new values, and sizes that are scaled."""
