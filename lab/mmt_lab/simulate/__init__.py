"""`mmt simulate`: traces replayed through models of allocators (docs/simulator.md)."""
