#!/bin/sh
# Installs the Debian packages named in packages/LIST.txt, for each LIST given, that are missing.
# Says what it installs; silent and fast (one dpkg-query) when nothing is missing. Never asks.
# MMT_INSTALL=0 turns it off, for machines whose packages come from elsewhere.
# Packages are installed without recommendations, and daemons among them are not started.
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "install_packages: $*" >&2
  exit 1
}

[ $# -gt 0 ] || fail "usage: tools/install_packages.sh LIST... (LIST: build, demo, test, bench, docs, soak, traces)"
[ "${MMT_INSTALL:-1}" != 0 ] || exit 0

wanted=
for list in "$@"; do
  file=packages/$list.txt
  [ -r "$file" ] || fail "no list $file"
  wanted="$wanted $(sed -e 's/#.*//' "$file")"
done
wanted=$(printf '%s\n' $wanted | sort -u)

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  fail "this is not a Debian machine: install the equivalents of" $wanted \
    "yourself, then set MMT_INSTALL=0"

present=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
  sed -n 's/^installed //p' | sort -u) || true
missing=
for package in $wanted; do
  printf '%s\n' "$present" | grep -qxF -- "$package" || missing="$missing $package"
done
# A run that was killed, or a machine that lost its power, may have left this.
policy=${MMT_POLICY_RC:-/usr/sbin/policy-rc.d}
[ -n "$missing" ] || grep -qs "^# Made by MMT's install_packages.sh" "$policy" || exit 0

# What a killed run has left, with nothing missing, keeps nobody from building.
not_root() {
  [ -n "$missing" ] || exit 0
  fail "missing packages, $1; as root, run: apt-get install$missing"
}

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  # A password can be asked for at a terminal only.
  if [ -t 0 ]; then as_root=sudo; else as_root="sudo -n"; fi
  $as_root true 2>/dev/null || not_root "and sudo refuses"
else
  not_root "not root, and no sudo"
fi

[ -z "$missing" ] || echo "installing Debian packages, which may take minutes:$missing"
# In a session of its own, to its end: a make that is killed leaves nothing half installed.
exec $as_root setsid --fork --wait tools/install_apart.sh $missing </dev/null
