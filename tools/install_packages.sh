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
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  # A password can be asked for at a terminal only.
  if [ -t 0 ]; then as_root=sudo; else as_root="sudo -n"; fi
  $as_root true 2>/dev/null ||
    fail "missing packages, and sudo refuses; as root, run: apt-get install$missing"
else
  fail "missing packages, not root, and no sudo; as root, run: apt-get install$missing"
fi

echo "installing Debian packages, which may take minutes:$missing"

# Daemons are wanted as programs to run, not as services: refuse their start while installing.
policy=${MMT_POLICY_RC:-/usr/sbin/policy-rc.d} # another path for the test of this script
made_policy=
clean_up() {
  [ -z "$made_policy" ] || $as_root rm -f "$policy"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
if [ ! -e "$policy" ]; then
  made_policy=1
  printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
  $as_root chmod 755 "$policy"
fi

apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@" </dev/null
}
log=$(mktemp)
# A second try, for a lock on the lists that someone else held, or a mirror that hiccuped.
attempt=1
until apt update >"$log" 2>&1 && apt install --no-install-recommends $missing >>"$log" 2>&1; do
  if [ $attempt = 3 ]; then
    tail -n 30 "$log" >&2
    rm -f "$log"
    fail "apt-get failed for:$missing"
  fi
  attempt=$((attempt + 1))
  sleep 10
done
rm -f "$log"
