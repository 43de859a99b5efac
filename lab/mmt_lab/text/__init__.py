"""Text and files for people: tables, units, files that are written whole."""
