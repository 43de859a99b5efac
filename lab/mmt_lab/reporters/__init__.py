"""What tells a result: every reporter takes the one object, and imports only what it needs."""
