"""`mmt bench`: programs x allocators on this machine, measured as studies are (session.py)."""
