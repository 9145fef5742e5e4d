"""Random configurations, counted here and built by transformers on torch's meta device."""
