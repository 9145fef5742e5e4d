"""The view of what is computed: FLOPs."""
