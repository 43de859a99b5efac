"""Parts of tools/run_tests.py."""
