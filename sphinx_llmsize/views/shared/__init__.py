"""Parts of several views: text of shapes and numbers, exact sums, sequence lengths."""
