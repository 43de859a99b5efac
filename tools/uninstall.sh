#!/bin/sh
# `make uninstall` runs this script. It removes the files that tools/install.sh put below PREFIX (and
# DESTDIR, from the environment). It then removes the folders that tools/install.sh made, where nothing
# else lies in them. It says what still names the library, as each program started from there would get a
# complaint of the dynamic linker.
set -eu

fail() {
  echo "uninstall: $*" >&2
  exit "${status:-1}"
}

[ $# = 1 ] || status=2 fail "usage: [DESTDIR=FOLDER] tools/uninstall.sh PREFIX"
prefix=$1
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
prefix=$(printf '%s\n' "$prefix" | tr -s /)
prefix=${prefix%/}
root=${DESTDIR:-}$prefix
root=${root:-/}
notes=$root/share/mmt/installed.txt
# An installation that was killed early has its first notes in its own folder only.
begun=$notes
[ -e "$notes" ] || for begun in "$root"/.mmt-install.*/notes; do break; done
[ -r "$begun" ] || fail "nothing is noted in $notes; give the PREFIX and DESTDIR of 'make install'"
[ -w "${notes%/*}" ] || fail "$notes may only be removed by its owner: sudo make uninstall"
exec 9<"$root"
flock -n 9 || fail "an installation is under way in $root"

# The deepest first: a folder sorts before what lies in it.
remove_folders() {
  printf '%s\n' "$noted" | grep '/$' | sort -r | while read -r folder; do
    rmdir --ignore-fail-on-non-empty "${DESTDIR:-}$folder" 2>/dev/null || true
  done
}

# The notes go last: when a file cannot be removed, a second try still knows all.
noted=$(cat "$begun")
rm -rf "$root"/.mmt-install.*
printf '%s\n' "$noted" | grep -v '/$' | grep -v '/share/mmt/installed\.txt$' | while read -r file; do
  rm -f "${DESTDIR:-}$file"
  case $file in
    *.py) # and what Python has compiled it to, or was about to
      compiled=${file%/*}/__pycache__
      name=${file##*/}
      rm -f "${DESTDIR:-}$compiled/${name%.py}".*.pyc*
      rmdir --ignore-fail-on-non-empty "${DESTDIR:-}$compiled" 2>/dev/null || true
      ;;
  esac
done
remove_folders
trap '' INT TERM HUP
rm -f "$notes"
remove_folders
library=$prefix/lib/libmmt.so
named=$(cd "${DESTDIR:-}/" && grep -rlsF "$library" etc/systemd etc/environment etc/ld.so.preload etc/profile \
  etc/profile.d etc/default etc/crontab etc/cron.d var/spool/cron || true)
for file in $named; do echo "still named: /$file"; done
# The caches of the caller, and of the user who called sudo.
owner=${SUDO_USER:+$(getent passwd "$SUDO_USER" | cut -d: -f6)}
for cache in "${XDG_CACHE_HOME:-${HOME:-}/.cache}/mmt" ${owner:+"$owner/.cache/mmt"}; do
  [ ! -d "$cache" ] || echo "kept: $cache, with peers that were built and traces that were taken"
done | sort -u
echo "removed $(printf '%s\n' "$noted" | grep -vc '/$') files from $root"
