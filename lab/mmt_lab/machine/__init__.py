"""What a figure depends on and a reader cannot see: the machine, MMT's parts, versions."""
