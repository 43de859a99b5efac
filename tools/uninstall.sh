#!/bin/sh
# Run by `make uninstall`: removes the files that tools/install.sh put below PREFIX (and DESTDIR, from the
# environment), then the folders that it made, where nothing else lies in them. Says what still names the
# library, as each program started from there would get a complaint of the dynamic linker.
set -eu

[ $# = 1 ] || {
  echo "usage: [DESTDIR=FOLDER] tools/uninstall.sh PREFIX" >&2
  exit 2
}
prefix=$1
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
notes=${DESTDIR:-}${prefix%/}/share/mmt/installed.txt
[ -r "$notes" ] || {
  echo "uninstall: nothing is noted in $notes; give the PREFIX and DESTDIR of 'make install'" >&2
  exit 1
}

[ -w "${notes%/*}" ] || {
  echo "uninstall: $notes may only be removed by its owner: sudo make uninstall" >&2
  exit 1
}

noted=$(mktemp)
trap 'rm -f "$noted"' EXIT
cat "$notes" >"$noted"
# The notes go last: when a file cannot be removed, a second try still knows all.
grep -v '/$' "$noted" | grep -v '/share/mmt/installed\.txt$' | while read -r file; do
  rm -f "${DESTDIR:-}$file"
  case $file in
    *.py) # and what Python has compiled it to
      compiled=${file%/*}/__pycache__
      name=${file##*/}
      rm -f "${DESTDIR:-}$compiled/${name%.py}".*.pyc
      rmdir --ignore-fail-on-non-empty "${DESTDIR:-}$compiled" 2>/dev/null || true
      ;;
  esac
done
rm -f "$notes"
# The deepest first: a folder sorts before what lies in it.
grep '/$' "$noted" | sort -r | while read -r folder; do
  rmdir --ignore-fail-on-non-empty "${DESTDIR:-}$folder" 2>/dev/null || true
done
library=${prefix%/}/lib/libmmt.so
named=$(cd "${DESTDIR:-}/" && grep -rlsF "$library" etc/systemd etc/environment etc/ld.so.preload etc/profile \
  etc/profile.d etc/default etc/crontab etc/cron.d var/spool/cron || true)
for file in $named; do echo "still named: /$file"; done
echo "removed $(grep -vc '/$' "$noted") files from ${DESTDIR:-}$prefix"
