"""The view of activation shapes."""
