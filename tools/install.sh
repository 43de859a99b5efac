#!/bin/sh
# `make install` and `make install-debug` run this script. It installs BUILD below PREFIX (and DESTDIR,
# from the environment). Before it does, it notes in share/mmt/installed.txt there which files it puts
# and which folders it makes. So tools/uninstall.sh also knows what a run that was killed has left. A
# second installation adds to these notes. Each file comes whole, by a rename: programs may start at any
# time, with the library preloaded.
set -eu
umask 022 # what is installed is everybody's

fail() {
  echo "install: $*" >&2
  exit "${status:-1}"
}

[ $# -ge 2 ] || status=2 fail "usage: [DESTDIR=FOLDER] tools/install.sh BUILD PREFIX [COMPONENT]"
build=$1
prefix=$2
component=${3:-}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
prefix=$(printf '%s\n' "$prefix" | tr -s /)
prefix=${prefix%/}
case $prefix in
  *[[:space:]:\$]*) fail "the dynamic linker preloads nothing from '$prefix': no spaces, colons or \$" ;;
esac
root=${DESTDIR:-}$prefix
root=${root:-/}
notes=$root/share/mmt/installed.txt

# Folders that are missing, from $1 up to the DESTDIR.
missing_above() {
  folder=$1
  while [ -n "$folder" ] && [ "$folder" != / ] && [ ! -d "${DESTDIR:-}$folder" ]; do
    echo "$folder/"
    folder=${folder%/*}
  done
}
made=$(missing_above "$prefix/share/mmt")

# Adds lines to the notes, all or none.
note() {
  { cat; [ ! -f "$notes" ] || cat "$notes"; } | sed '/^$/d' | sort -u >"$stage/notes"
  chmod 644 "$stage/notes"
  mv -f "$stage/notes" "$notes"
}

undo=
stage=
clean_up() {
  [ -z "$stage" ] || rm -rf "$stage"
  [ -z "$undo" ] || {
    rm -f "$notes"
    printf '%s\n' "$made" | while read -r folder; do rmdir "${DESTDIR:-}$folder" 2>/dev/null || true; done
  }
}
trap clean_up EXIT
trap '' INT TERM HUP # until that is noted
mkdir -p "$root/share/mmt" || exit 1
exec 9<"$root"
flock -n 9 || fail "another installation is under way in $root"
# What runs that were killed had begun to note is noted now.
made=$(printf '%s\n' "$made"; cat "$root"/.mmt-install.*/notes 2>/dev/null || true)
rm -rf "$root"/.mmt-install.*
# Beside its places, so that nothing is copied between file systems.
stage=$(mktemp -d "$root/.mmt-install.XXXXXX")
[ -f "$notes" ] || undo=1
printf '%s\n' "$made" "$prefix/share/mmt/installed.txt" | note
trap 'exit 130' INT TERM HUP

stage=$(cd "$stage" && pwd -P)
DESTDIR=$stage/files cmake --install "$build" --prefix "${prefix:-/}" ${component:+--component "$component"} >/dev/null
rm -f "$build/install_manifest${component:+_$component}.txt"
# What root has made in the build stays its owner's (as_owner.sh).
[ "$(id -u)" != 0 ] || [ ! -d "$build/install" ] || chown -R --reference="$build" "$build/install"
(cd "$stage/files$prefix" && find . -mindepth 1 -type d | sed 's|^\./||') | while read -r folder; do
  [ -d "$root/$folder" ] || echo "$prefix/$folder/"
done >"$stage/made"
(cd "$stage/files$prefix" && find . ! -type d | sed "s|^\.|$prefix|") | cat - "$stage/made" | note
undo=
(cd "$stage/files$prefix" && find . -type d) | while read -r folder; do
  mkdir -p "$root/$folder"
  find "$stage/files$prefix/$folder" -maxdepth 1 ! -type d -exec mv -f -t "$root/$folder" {} +
done
