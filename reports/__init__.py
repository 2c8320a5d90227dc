"""Renderers of response objects. Each opens no file and knows nothing but the response."""
