"""What `mmt study` starts: `/usr/bin/python3 -E -s -B lab NAME ...`."""

import sys

from mmt_lab.cli import main

sys.exit(main(sys.argv[1:]))
