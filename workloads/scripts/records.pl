# Records in hashes of hashes and arrays, string building, regular expressions, sorting.
# Prints its answer and fails when it is not the known one. Argument: number of records.
use strict;
use warnings;

my $records = shift // 120_000;
my %known = (120_000 => '79950 tag40 1617135 394236015', 2_000 => '1341 tag107 26901 901670528');

my $seed = 42;
sub draw { $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $_[0] }

# Fill.
my (%by_name, @order);
for my $i (1 .. $records) {
    my $name = join '-', map { chr(97 + draw(26)) x (1 + draw(4)) } 1 .. 4;
    my $record = {id => $i, tags => [map { 'tag' . draw(500) } 1 .. 1 + draw(5)],
                  note => "record $i of $name" . ' .' x draw(20)};
    push @{$by_name{$name}}, $record;
    push @order, $record;
}

# Index, rewrite, drop.
my %by_tag;
for my $record (@order) {
    push @{$by_tag{$_}}, $record->{id} for @{$record->{tags}};
    $record->{note} =~ s/record (\d+)/"entry " . reverse($1)/e;
    $record->{words} = [split ' ', $record->{note}];
}
for my $name (keys %by_name) {
    delete $by_name{$name} if length($name) % 3 == 0;
}

# Answer.
my $words = 0;
$words += @{$_->{words}} for @order;
my @tags = sort { @{$by_tag{$b}} <=> @{$by_tag{$a}} || $a cmp $b } keys %by_tag;
my @names = sort keys %by_name;
my @notes = sort { $a cmp $b } map { $_->{note} } @order;
my $checksum = 0;
$checksum = ($checksum * 31 + length($_)) % 1_000_000_007 for @notes, @names, @tags;
my $answer = join ' ', scalar(@names), $tags[0], $words, $checksum;
print "$answer\n";
exit(exists $known{$records} && $known{$records} ne $answer ? 1 : 0);
