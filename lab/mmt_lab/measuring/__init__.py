"""Programs run on allocators: launched, proved, looked at, noted down."""
