#!/bin/sh
# Proves that the README's commands do everything on a fresh machine. It makes a minimal Debian 12 in a
# folder (debootstrap), and clones the committed state of this checkout into it. There it runs the first
# look, each `make ...` of the README's table of commands and `make uninstall`, or the commands given.
# After those of README nothing may be left behind outside of the clone, be it an empty folder. What
# packages brought and made as they were installed may stay. In /dev/shm nothing may stay after any.
#
#   tools/fresh_machine.sh [--help] [--show] [FORM] [--keep] [COMMAND...]
#     --user             as an ordinary user with sudo, instead of root in /root; who then still can
#                        build and clean
#     --plain-container  as root without what container engines withhold: capabilities, name spaces,
#                        mounts, ptrace (tools/plain_container.py); /sys and /proc/sys are read only,
#                        /dev/shm has 64 MiB
#     --small            as root, with one CPU and 4 GiB
#     --show             only say which commands
#     --keep             leave the root file system in place and say where
#
# Packages come from where this machine's own apt gets them. The fresh machine holds what Debian's
# minimal variant holds, plus make, with which the README begins. Needs root and debootstrap.
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "fresh_machine: $*" >&2
  exit 1
}

show=
as_user=
keep=
plain=
small=
while [ $# -gt 0 ]; do
  case $1 in
    --show) show=1 ;;
    --user) as_user=1 ;;
    --plain-container) plain=1 ;;
    --small) small=1 ;;
    --keep) keep=1 ;;
    -h | --help)
      sed -n '/^#!/d; s/^# \{0,1\}//p; /^set -eu/q' tools/fresh_machine.sh
      exit 0
      ;;
    -*) fail "unknown option $1; --help shows those there are" ;;
    *) break ;;
  esac
  shift
done

# The commands, one a line.
if [ $# -gt 0 ]; then
  commands=$(printf '%s\n' "$@")
else
  commands=$(sed -n 's/^| `\(make [^`]*\)` .*/\1/p' README.md)
  for needed in "make demo" "make test" "make install"; do
    printf '%s\n' "$commands" | grep -qx "$needed" || fail "README.md has no line '$needed'"
  done
  commands="make test STAGES=quick
$commands
make uninstall"
  [ -z "$as_user" ] || commands="$commands
make
make clean"
fi
[ -z "$show" ] || {
  printf '%s\n' "$commands"
  exit 0
}

[ "$(id -u)" = 0 ] || fail "needs root"
command -v debootstrap >/dev/null || fail "needs debootstrap (apt-get install debootstrap)"

# The mirror of suite bookworm, in either format of apt's sources. Its options stay with apt.
sources=$(ls /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
  /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
[ -n "$sources" ] || fail "no apt sources in /etc/apt"
mirror=$(awk '
  /^deb[ \t]/ { sub(/\[[^]]*\] */, ""); if ($3 == "bookworm") { print $2; exit } }
  /^URIs:/ { uri = $2 }
  /^Suites:/ { for (i = 2; i <= NF; i++) if ($i == "bookworm") here = 1 }
  here && uri { print uri; exit }
  /^[ \t]*$/ { uri = ""; here = 0 }
' $sources)
[ -n "$mirror" ] || fail "this machine's apt sources have no suite bookworm"

root=$(mktemp -d "${TMPDIR:-/var/tmp}/mmt-fresh.XXXXXX")
chmod 755 "$root"
clean_up() {
  if [ -n "$keep" ]; then
    echo "fresh_machine: kept $root"
  else
    rm -rf --one-file-system "$root"
  fi
}
group=
end() {
  [ -z "$group" ] || rmdir "$group" 2>/dev/null || true
  clean_up
}
trap end EXIT
trap 'exit 130' INT TERM HUP

included=make
[ -z "$as_user" ] || included=$included,sudo
case $mirror in https:*) included=$included,ca-certificates ;; esac
echo "=== a fresh Debian 12 in $root"
debootstrap --variant=minbase --include="$included" bookworm "$root" "$mirror" \
  >"$root.log" 2>&1 || {
  tail -n 30 "$root.log" >&2
  rm -f "$root.log"
  fail "debootstrap failed"
}
rm -f "$root.log"

# The machine's own way to its packages: sources, keys they name, proxies and the like.
rm -f "$root/etc/apt/sources.list"
cp -p --parents $sources "$root"
for key in $(sed -n 's/^Signed-By: *//p; s/.*signed-by=\([^] ]*\).*/\1/p' $sources | sort -u); do
  [ ! -f "$key" ] || cp -p --parents "$key" "$root"
done
apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/99machine" || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
# So also to other registries: whom it trusts, and what pip and npm are told here.
trusted=/etc/ssl/certs/ca-certificates.crt
machine=$(env | grep -E '^(PIP|NPM_CONFIG|npm_config)_[A-Z_a-z]*=[^ ]*$|^[A-Za-z]*_(PROXY|proxy)=' |
  grep -v '_FIND_LINKS=' || true)
if [ -f "$trusted" ]; then
  cp -L "$trusted" "$root/etc/machine.crt"
  for name in PIP_CERT SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS; do
    machine="$machine
$name=/etc/machine.crt"
  done
fi

home=/root
if [ -n "$as_user" ]; then
  home=/home/somebody
  chroot "$root" useradd --create-home --shell /bin/sh somebody
  echo "somebody ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/somebody"
fi
git clone -q --no-hardlinks . "$root$home/mmt"
[ -z "$as_user" ] || chroot "$root" chown -R somebody: "$home/mmt"

# Memory is limited by a control group, of either version.
if [ -n "$small" ]; then
  for parent in /sys/fs/cgroup/memory /sys/fs/cgroup; do
    group=$parent/mmt-fresh.$$
    mkdir "$group" 2>/dev/null || continue
    for file in memory.limit_in_bytes memory.max; do
      [ ! -e "$group/$file" ] || echo 4294967296 >"$group/$file"
    done
    [ ! -e "$group/memory.limit_in_bytes" ] && [ ! -e "$group/memory.max" ] || break
    rmdir "$group"
  done
  [ -e "$group/cgroup.procs" ] || fail "cannot make a control group that limits memory"
fi

# All outside of the clone: when it was made, and its path. Left out are apt's, dpkg's and sudo's own
# notes, byte code of Debian's Python modules, and what each Java program notes of itself.
listing() {
  (cd "$root" && find . -xdev -path "./${home#/}/mmt" -prune -o -regextype egrep \
    -regex '\./(proc|sys|dev|var/(lib/(apt|dpkg|sudo)|cache/(apt|debconf)|log/apt)|run/sudo|usr/(lib|share)/.*/__pycache__|tmp/hsperfdata_[a-z]+)' -prune -o -print0 |
    xargs -0 stat -c '%W %n' | sed 's/^\([^ ]*\) \./\1 /')
}
# What is in the file $2, but not in the file $1, nor in a package, nor of the time in which apt
# ran.
new_there() {
  sed -n 's/^\(Start\|End\)-Date: //p' "$root/var/log/apt/history.log" | while read -r at; do
    chroot "$root" date -d "$at" +%s
  done >"$root.runs"
  cat "$root"/var/lib/dpkg/info/*.list | sort -u >"$root.packed"
  awk 'mode == "runs" { run[++runs] = $1; next }
    mode == "packed" { known[$0] = 1; next }
    { at = $1; sub(/^[^ ]* /, "") }
    mode == "before" { known[$0] = 1; next }
    known[$0] { next }
    { for (i = 1; i < runs; i += 2) if (at >= run[i] - 1 && at <= run[i + 1] + 2) next; print }' \
    mode=runs "$root.runs" mode=packed "$root.packed" mode=before "$1" mode=after "$2" | sort
  rm -f "$root.runs" "$root.packed"
}

# Runs one command inside, with its own processes and mounts; what it leaves running ends with it.
inside() {
  unshare --mount --pid --fork --kill-child --propagation private sh -euc '
    root=$1 home=$2 as_user=$3 command=$4 machine=$5 plain=$6 group=$7
    [ -z "$group" ] || echo 0 >"$group/cgroup.procs"
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    shm=mode=1777
    if [ -n "$plain" ]; then
      # As engines do it: what the kernel shows is read only, shared memory is small.
      shm=$shm,size=64m
      mount --bind "$root/proc/sys" "$root/proc/sys"
      findmnt -R -n -l -o TARGET "$root/sys" | tac | while read -r at; do
        mount -o remount,bind,ro "$at"
      done
      mount -o remount,bind,ro "$root/proc/sys"
    fi
    mount -t tmpfs -o "$shm" tmpfs "$root/dev/shm"
    set -- env -i $machine HOME="$home" LANG=C.UTF-8 TERM=dumb \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      sh -c "cd \"$home/mmt\" && $command"
    [ -z "$as_user" ] || set -- setpriv --reuid somebody --regid somebody --init-groups "$@"
    [ -z "$group" ] || set -- taskset -c 0 "$@"
    if [ -n "$plain" ]; then
      tools/plain_container.py chroot "$root" "$@"
    else
      # Not by chroot, below which there are no name spaces of users.
      cd "$root"
      pivot_root . .
      umount -l .
      cd /
      root=
      "$@"
    fi
    left=$(find "$root/dev/shm" -mindepth 1)
    [ -z "$left" ] || { echo "left behind: $left"; exit 1; }
  ' inside "$root" "$home" "$as_user" "$1" "$machine" "$plain" "$group" </dev/null
}

status=0
summary=
listing >"$root.before"
newline='
'
while IFS= read -r command; do
  echo "=== $command"
  start=$(date +%s)
  verdict=ok
  case $as_user:$command in 1:"make install"* | 1:"make uninstall"*) command="sudo $command" ;; esac
  inside "$command" || verdict="FAILED, exit status $?"
  [ "$verdict" = ok ] || status=1
  summary="$summary$command: $verdict, $(($(date +%s) - start)) s$newline"
done <<COMMANDS
$commands
COMMANDS
listing >"$root.after"
if [ $# = 0 ]; then
  left=$(new_there "$root.before" "$root.after")
  [ -z "$left" ] || {
    summary="${summary}left behind: FAILED:$newline$left$newline"
    status=1
  }
fi
rm -f "$root.before" "$root.after"
printf '=== on a fresh machine\n%s' "$summary"
exit $status
