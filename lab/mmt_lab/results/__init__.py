"""What was measured, as the one object that reporters take; written, and read back."""
