#!/bin/sh
# Run by tools/install_packages.sh, as root: installs the Debian packages given. What a run before this one
# could not finish is finished first, also where no package is given. Only SIGKILL ends it early.
set -eu
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin # which `su` leaves out, and dpkg wants

# Daemons are wanted as programs to run, not as services: refuse their start while installing. The file
# says whose it is: one that a dead machine has left is not taken for the user's.
policy=${MMT_POLICY_RC:-/usr/sbin/policy-rc.d} # another path for the test of this script
mark="# Made by MMT's install_packages.sh for as long as it runs."
made_policy=
[ -w "${TMPDIR:-/tmp}" ] || unset TMPDIR
log=$(mktemp)
clean_up() {
  [ -z "$made_policy" ] || rm -f "$policy"
  rm -f "$log"
}
trap clean_up EXIT
trap '' INT TERM HUP
# One at a time: the policy is one file.
exec 9<"${policy%/*}"
flock 9
if [ ! -e "$policy" ] || grep -qxF "$mark" "$policy"; then
  made_policy=1
  printf '#!/bin/sh\n%s\nexit 101\n' "$mark" | tee "$policy" >/dev/null
  chmod 755 "$policy"
fi

apt() {
  env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@" 9<&-
}
[ -z "$(dpkg --audit)" ] || env DEBIAN_FRONTEND=noninteractive dpkg --configure -a >"$log" 2>&1 9<&- || true
[ $# -gt 0 ] || exit 0
# A second try, for a lock on the lists that someone else held, or a mirror that hiccuped.
attempt=1
until apt update >"$log" 2>&1 && apt install --no-install-recommends "$@" >>"$log" 2>&1; do
  if [ $attempt = 3 ]; then
    tail -n 30 "$log" >&2
    echo "install_packages: apt-get failed for: $*" >&2
    exit 1
  fi
  attempt=$((attempt + 1))
  sleep 10
done
