#!/bin/sh
# Run by `make install` and `make install-debug`: installs BUILD below PREFIX (and DESTDIR, from the
# environment), and notes in share/mmt/installed.txt there which files it put and which folders it made.
# A second installation adds to these notes, so that tools/uninstall.sh also finds what only the first put.
# Each file comes whole, by a rename: programs may start at any time, with the library preloaded.
set -eu

[ $# -ge 2 ] || {
  echo "usage: [DESTDIR=FOLDER] tools/install.sh BUILD PREFIX [COMPONENT]" >&2
  exit 2
}
build=$1
prefix=$2
component=${3:-}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
prefix=${prefix%/}
root=${DESTDIR:-}$prefix
notes=$root/share/mmt/installed.txt

work=$(mktemp -d)
stage=
trap 'rm -rf "$work" ${stage:+"$stage"}' EXIT
trap 'exit 130' INT TERM HUP
[ ! -d "$root" ] || find "$root/" -type d >"$work/folders" 2>/dev/null || true
touch "$work/folders"

# Folders that are missing, from $1 up to the DESTDIR.
missing_above() {
  folder=$1
  while [ -n "$folder" ] && [ "$folder" != / ] && [ ! -d "${DESTDIR:-}$folder" ]; do
    echo "$folder/"
    folder=${folder%/*}
  done
}
missing_above "$prefix" >"$work/new"

# Beside its places, so that nothing is copied between file systems.
mkdir -p "$root"
stage=$(cd "$root" && mktemp -d "$PWD/.mmt-install.XXXXXX")
DESTDIR=$stage cmake --install "$build" --prefix "$prefix" ${component:+--component "$component"} >/dev/null
(cd "$stage$prefix" && find . -type d) | while read -r folder; do
  mkdir -p "$root/$folder"
  find "$stage$prefix/$folder" -maxdepth 1 ! -type d -exec mv -f -t "$root/$folder" {} +
done
manifest=$build/install_manifest${component:+_$component}.txt

mkdir -p "${notes%/*}"
{
  cat "$manifest"
  echo
  echo "$prefix/share/mmt/installed.txt"
  cat "$work/new"
  # Each folder on the way to a file, unless it was there before.
  { cat "$manifest"; echo "/share/mmt/x" | sed "s|^|$prefix|"; } | awk -v prefix="$prefix" -v destdir="${DESTDIR:-}" '
    mode == "before" { sub("/*$", ""); gsub("//+", "/"); before[$0] = 1; next }
    { path = $0
      while (sub("/[^/]*$", "", path) && length(path) > length(prefix) && !(path in seen)) {
        seen[path] = 1
        place = destdir path
        gsub("//+", "/", place)
        if (!(place in before)) print path "/"
      } }' mode=before "$work/folders" mode=after -
  [ ! -f "$notes" ] || cat "$notes"
} | sed '/^$/d' | sort -u >"$work/notes"
cat "$work/notes" >"$notes"
chmod 644 "$notes"
