#!/bin/sh
# Records workloads/traces anew: four small traces of real programs, for a first `mmt simulate`. Needs
# a build where a JDK is, gawk, perl and sqlite3.
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
$mmt trace -q -o "$out/perl.mtr" -- perl -e 'my %h;
for my $i (1 .. 12000) {
  push @{$h{"n" . $i % 1500}{list}}, "row $i of many";
  delete $h{"n" . ($i * 7 % 1500)} if $i % 5 == 0;
}
print scalar(keys %h), "\n"'
$mmt trace -q -o "$out/sqlite3.mtr" -- sqlite3 -bail :memory: ".read $scripts/orders.sql"
$mmt trace -q -o "$out/raytracer.mtr" --java --precision 256K -- java -cp "$work" RayTracer 40 30
