"""Today's peers: allocators newer than the distribution's, from package registries, in a folder of
their own. Nothing else on the machine changes."""
