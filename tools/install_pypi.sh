#!/bin/sh
# Makes build/python, a virtual environment that sees the system's own packages, and installs there the
# files of packages/pypi.txt, by their hashes. The system's own Python stays as it is, and nobody has to
# be root. Silent and fast when nothing is missing. MMT_INSTALL=0 turns it off.
set -eu
cd "$(dirname "$0")/.."
[ "${MMT_INSTALL:-1}" != 0 ] || exit 0
# Made by what reads settings there, where there is none.
[ -d "${HOME:-}" ] || export HOME="$PWD/build"
[ -w "${TMPDIR:-/tmp}" ] || unset TMPDIR
# What would have it installed elsewhere, or not at all.
unset PIP_USER PIP_TARGET PIP_PREFIX PIP_ROOT PIP_DRY_RUN PIP_PYTHON PYTHONHOME PYTHONPATH PYTHONUSERBASE

system=/usr/bin/python3
environment=build/python
python=$environment/bin/python3
$python -I -c "" 2>/dev/null || {
  rm -rf "$environment"
  $system -m venv --without-pip --system-site-packages "$environment"
}

# One of the system's, of the same version, does not count: it may be other files.
wanted=$(sed -n 's/^\([^# ]*\) --hash=.*/\1/p' packages/pypi.txt)
missing() {
  $python -I -c "
import importlib.metadata, sys, sysconfig
there = {one.name + '==' + one.version
         for one in importlib.metadata.distributions(path=[sysconfig.get_path('purelib'), sysconfig.get_path('platlib')])}
print(*(one for one in sys.argv[1:] if one not in there))" $wanted
}
first=$(missing)
[ -n "$first" ] || exit 0

echo "installing Python packages into $environment: $first"
$system -m pip --python "$python" install --no-user --quiet --no-input --no-cache-dir --no-deps --no-compile --ignore-installed \
  --only-binary :all: --require-hashes --no-warn-script-location --root-user-action=ignore \
  --requirement packages/pypi.txt
still=$(missing)
[ -z "$still" ] || {
  echo "install_pypi: pip has put these elsewhere, as its settings may want (pip config list): $still" >&2
  exit 1
}
