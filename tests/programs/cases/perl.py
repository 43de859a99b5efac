"""perl: big hashes, sort, regular expressions, closures, fork with pipes, interpreter threads."""

PACKAGES = ["perl"]

DATA = r"""
use strict; use warnings;
my (%h, @a, $seed);
$seed = 7;
for my $i (0 .. 150_000) {
  $seed = ($seed * 1103515245 + 12345) % 2147483648;
  push @{ $h{"key" . $seed % 30011} }, $i;
  push @a, $seed;
}
print join(",", map { "$_=" . scalar @{ $h{$_} } } (sort keys %h)[0 .. 300]), "\n";
my @sorted = sort { $a <=> $b } @a;
print "$sorted[0] $sorted[-1] $sorted[75000]\n";
delete @h{ (sort keys %h)[0 .. 20000] };
print scalar(keys %h), "\n";
my $text = join " ", map { "n$_:" . $_ * $_ } 1 .. 20000;
my $n = 0; $n += $2 while $text =~ /n(\d+):(\d+)/g;
(my $copy = $text) =~ s/(\d+)/<$1>/g;
print "$n ", length $copy, "\n";
my @subs = map { my $k = $_; sub { $k + shift } } 1 .. 5000;
my $sum = 0; $sum += $_->(1) for @subs; print "$sum\n";
my $s = ""; $s .= chr(65 + $_ % 26) x ($_ % 50) for 1 .. 20000; print length $s, "\n";
printf "%s\n", unpack "%32C*", $s;
my $cycle = {}; $cycle->{self} = $cycle;
local $@; eval { die { code => 12 } }; print "died $@->{code}\n";
"""

FORK = r"""
use strict; use warnings;
$| = 1;
my %seen = map { $_ => "x" x ($_ % 300) } 1 .. 20000;
for my $round (1 .. 12) {
  my @kids;
  for my $k (1 .. 4) {
    pipe(my $r, my $w) or die;
    my $pid = fork // die;
    if (!$pid) {
      close $r;
      my %own = map { $_ => $seen{$_} . $k } grep { $_ % $k == 0 } keys %seen;
      my $total = 0; $total += length for values %own;
      print $w $total;
      close $w;
      exit $k;
    }
    close $w; push @kids, [$pid, $r];
  }
  for (@kids) {
    local $/; my $fh = $_->[1]; my $t = <$fh>;
    waitpid $_->[0], 0;
    print "$t ", $? >> 8, "\n";
  }
}
print `perl -e 'print 6 * 7'`, "\n";
"""

THREADS = r"""
use strict; use warnings; use threads; use threads::shared; use Thread::Queue;
my $total :shared = 0;
my $q = Thread::Queue->new(1 .. 400); $q->end;
my @t = map { threads->create(sub {
  my %mine; my $n = 0;
  while (defined(my $job = $q->dequeue)) {
    $mine{$job} = [ map { $_ * $job } 1 .. 200 ];
    $n += $mine{$job}[199];
  }
  { lock $total; $total += $n }
  return scalar keys %mine;
}) } 1 .. 4;
my $jobs = 0; $jobs += $_->join for @t;
print "$jobs $total\n";
for (1 .. 15) { threads->create(sub { my @x = map { "y$_" } 1 .. 3000; scalar @x })->join }
print "done\n";
"""


def case(lab):
    for name, text in {"data": DATA, "fork": FORK, "threads": THREADS}.items():
        lab.write(f"{name}.pl", text)
        lab.run(["perl", f"{name}.pl"])
    lab.run(["perl", "-e", "warn qq{careful\n}; exit 9"], status=9, label="exit")
