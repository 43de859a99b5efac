#!/bin/sh
# Installs the packages of packages/npm.txt in the versions that stand there, below build/npm. Silent and
# fast when nothing is missing. They save space only: without npm, or where it fetches nothing, it says so
# and succeeds. What uses them knows the hash of the file that it reads. MMT_INSTALL=0 turns it off.
set -eu
cd "$(dirname "$0")/.."
[ "${MMT_INSTALL:-1}" != 0 ] || exit 0
# Made by what reads settings there, where there is none.
[ -d "${HOME:-}" ] || export HOME="$PWD/build"
[ -w "${TMPDIR:-/tmp}" ] || unset TMPDIR

folder=build/npm
find_missing() {
  missing=
  for wanted in $(sed -e 's/#.*//' packages/npm.txt); do
    grep -qs "\"version\": *\"${wanted##*@}\"" "$folder/node_modules/${wanted%@*}/package.json" ||
      missing="$missing $wanted"
  done
}
find_missing
[ -n "$missing" ] || exit 0

without() {
  echo "$1: reports will carry Debian's plotly.js, which is larger"
  exit 0
}
command -v npm >/dev/null || without "no npm"
echo "installing npm packages into $folder:$missing"
mkdir -p "$folder"
trap 'rm -rf "$folder/cache"' EXIT # not the home folder's, which may be none
timeout 120 npm install --no-global --no-dry-run --prefix "$folder" --cache "$folder/cache" --no-save --no-package-lock --ignore-scripts \
  --no-audit --no-fund --no-update-notifier --silent $missing </dev/null || without "npm fetched nothing"
find_missing
[ -z "$missing" ] || without "npm has put$missing elsewhere"
