#!/bin/sh
# Installs the Python packages of packages/pypi.txt that Debian does not have, for the system's own
# Python, in the versions that stand there. Silent and fast when nothing is missing.
# MMT_INSTALL=0 turns it off.
set -eu
cd "$(dirname "$0")/.."
[ "${MMT_INSTALL:-1}" != 0 ] || exit 0

python=/usr/bin/python3
missing=
for wanted in $(sed -e 's/#.*//' packages/pypi.txt); do
  $python -s -c "
import importlib.metadata, sys
name, version = sys.argv[1].split('==')
sys.exit(importlib.metadata.version(name) != version)" "$wanted" 2>/dev/null || missing="$missing $wanted"
done
[ -n "$missing" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root="sudo -n"
echo "installing Python packages:$missing"
$as_root $python -m pip install --quiet --no-input --no-deps --break-system-packages \
  --root-user-action=ignore $missing
