"""The rules, one module each: every module here is found by itself."""
