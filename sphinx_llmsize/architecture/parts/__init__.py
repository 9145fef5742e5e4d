"""What families are composed of: each part makes stages."""
