"""What `mmt study` and `mmt report` start: `/usr/bin/python3 -E -s -B lab VERB ...`."""

import sys

from mmt_lab.command.cli import main

sys.exit(main(sys.argv[1:]))
