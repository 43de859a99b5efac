"""Whether a file can be written, asked before a long measurement and not only behind it."""

import os


def is_writable(path):
    """Of a file that is there, or can be made. It is not opened: what is in it stays."""
    path = os.path.realpath(path)
    if os.path.isdir(path):
        return False
    if os.path.exists(path):
        return os.access(path, os.W_OK)
    folder = os.path.dirname(path)
    return os.path.isdir(folder) and os.access(folder, os.W_OK)
