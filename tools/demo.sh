#!/bin/sh
# What `make demo` runs once everything is built: the comparison on this machine.
set -eu
cd "$(dirname "$0")/.."
exec build/release/bin/mmt bench --demo "$@"
