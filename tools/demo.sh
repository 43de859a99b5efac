#!/bin/sh
# What `make demo` runs once everything is built: the comparison on this machine. One program first,
# so that a number is there within seconds.
set -eu
cd "$(dirname "$0")/.."
mmt=build/release/bin/mmt
echo "One program, once; then all, with each allocator that is installed, which takes minutes."
$mmt bench --demo --only gawk --runs 1 --allocators mmt,glibc
echo
exec $mmt bench --demo "$@"
