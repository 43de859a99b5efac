#!/bin/sh
# This runs a command as the owner of the build folder, or of the checkout where there is no build folder
# yet. The files that root builds in somebody's checkout (`sudo make install`) stay theirs to build again
# and to remove.
set -eu
cd "$(dirname "$0")/.."
place=.
[ ! -d build ] || place=build
owner=$(stat -c %u $place)
[ "$(id -u)" = 0 ] && [ "$owner" != 0 ] || exec "$@"

entry=$(getent passwd "$owner" || true)
home=$(echo "$entry" | cut -d: -f6)
groups=--clear-groups
[ -z "$entry" ] || groups=--init-groups
HOME=${home:-/} exec setpriv --reuid "$owner" --regid "$(stat -c %g $place)" $groups "$@"
