#!/bin/sh
# Checks that every C and C++ source is formatted as .clang-format says; with --fix, formats them.
# Formatting differs between versions of clang-format, so one version counts.
set -eu
cd "$(dirname "$0")/.."

version=14
format=clang-format-$version
command -v "$format" >/dev/null || {
  echo "check_format: no $format (tools/install_packages.sh test installs it)" >&2
  exit 1
}

folders=
for folder in include src workloads tests fuzz; do
  [ ! -d "$folder" ] || folders="$folders $folder"
done
list_sources() {
  find $folders -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -print0
}

if [ "${1:-}" = --fix ]; then
  list_sources | xargs -0 -r "$format" -i
else
  list_sources | xargs -0 -r "$format" --dry-run -Werror
fi
