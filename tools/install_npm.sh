#!/bin/sh
# Installs the packages of packages/npm.txt in the versions that stand there, below /usr/local. Silent
# and fast when nothing is missing. They save space only: without npm, or where it fetches nothing, it
# says so and succeeds. MMT_INSTALL=0 turns it off.
set -eu
cd "$(dirname "$0")/.."
[ "${MMT_INSTALL:-1}" != 0 ] || exit 0

folder=/usr/local/lib/node_modules
missing=
for wanted in $(sed -e 's/#.*//' packages/npm.txt); do
  grep -qs "\"version\": *\"${wanted##*@}\"" "$folder/${wanted%@*}/package.json" || missing="$missing $wanted"
done
[ -n "$missing" ] || exit 0

without() {
  echo "$1: reports will carry Debian's plotly.js, which is larger"
  exit 0
}
command -v npm >/dev/null || without "no npm"
as_root=
[ "$(id -u)" = 0 ] || as_root="sudo -n"
echo "installing npm packages:$missing"
timeout 120 $as_root npm install --global --prefix /usr/local --ignore-scripts --no-audit --no-fund --silent $missing \
  </dev/null || without "npm fetched nothing"
