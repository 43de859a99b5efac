"""Parts of the driver that runs real programs with and without an allocator library."""
