"""Any text at all, put through whatever reads text: nothing but our own error may come of it."""
