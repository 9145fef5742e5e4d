"""What of the package's words pybabel does not find by itself."""
