#!/bin/sh
# `make demo` runs this comparison on this machine once the command is built. One program runs first, so
# that a number is there within seconds. Then the libraries are built by which `mmt check` times calls
# and tries glibc behind a memory thread.
set -eu
cd "$(dirname "$0")/.."
mmt=build/release/bin/mmt
echo "One program, once; then all, with each allocator that is installed, which takes minutes."
$mmt bench --demo --only gawk --runs 1 --allocators mmt,glibc
echo
cmake --build --preset release --target mmt_latency mmt_protocol_mmt >/dev/null
$mmt bench --demo "$@"
echo
echo "For a program of yours: $mmt check -- PROGRAM"
