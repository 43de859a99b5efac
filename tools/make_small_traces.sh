#!/bin/sh
# Records workloads/traces anew: three small traces of real programs, for a first `mmt simulate`. Needs
# a build where a JDK is, gawk and sqlite3.
#     make && tools/make_small_traces.sh
set -eu
cd "$(dirname "$0")/.."
mmt=build/release/bin/mmt
out=workloads/traces
scripts=workloads/scripts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -d "$work" workloads/java/RayTracer.java
$mmt trace -q -o "$out/gawk.mtr" -- gawk -v lines=2000 -f "$scripts/words.awk"
$mmt trace -q -o "$out/sqlite3.mtr" -- sqlite3 -bail :memory: ".read $scripts/orders.sql"
$mmt trace -q -o "$out/raytracer.mtr" --java --precision 256K -- java -cp "$work" RayTracer 40 30
