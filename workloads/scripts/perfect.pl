# Perfect and amicable numbers by divisors kept as text in hashes: many short strings, soon dropped.
# Prints its answer and fails when the divisor sums are not those of a sieve. Argument: the largest
# number.
use strict;

my $size = @ARGV ? shift : 100_000;
if (@ARGV || $size !~ /^[1-9][0-9]{0,6}$/) {
    print STDERR "perfect.pl: want one number from 1 to 9999999\n";
    exit 2;
}

# A term for each divisor below the number itself: the text says what it is a divisor of.
sub terms_of {
    my ($number) = @_;
    my %terms = ('1' => "1*$number");
    for (my $divisor = 2; $divisor * $divisor <= $number; ++$divisor) {
        next if $number % $divisor;
        my $other = $number / $divisor;
        $terms{"$divisor"} = "$divisor*$other";
        $terms{"$other"} = "$other*$divisor";
    }
    return \%terms;
}

# Adds the divisors up from the terms, each taken apart again.
sub sum_of {
    my ($number, $terms) = @_;
    my $sum = 0;
    for my $divisor (sort { $a <=> $b } keys %$terms) {
        my ($left, $right) = split /\*/, $terms->{$divisor};
        return -1 if $left ne $divisor || $left * $right != $number;
        $sum += $left;
    }
    return $sum;
}

# The sums of all divisors below the number itself, of `count` numbers from `first` on, packed: by a
# sieve that knows nothing of text.
sub sieve {
    my ($first, $count) = @_;
    my $sums = pack('N', 0) x $count;
    for (my $divisor = 1; 2 * $divisor < $first + $count; ++$divisor) {
        my $multiple = $first + (-$first) % $divisor;
        $multiple = 2 * $divisor if $multiple < 2 * $divisor;
        for (; $multiple < $first + $count; $multiple += $divisor) {
            vec($sums, $multiple - $first, 32) += $divisor;
        }
    }
    return $sums;
}

my (@perfect, @amicable);
my %kinds = (perfect => 0, abundant => 0, deficient => 0);
my $block = 2_000;
for (my $first = 1; $first <= $size; $first += $block) {
    my $count = $first + $block > $size ? $size - $first + 1 : $block;
    my $sums = '';
    for my $number ($first .. $first + $count - 1) {
        my $sum = $number == 1 ? 0 : sum_of($number, terms_of($number));
        $sums .= pack 'N', $sum;
        ++$kinds{$sum == $number ? 'perfect' : $sum > $number ? 'abundant' : 'deficient'};
        push @perfect, "$number" if $sum == $number;
        next if $sum < 2 || $sum >= $number;
        push @amicable, "$sum/$number" if sum_of($sum, terms_of($sum)) == $number;
    }
    next if $sums eq sieve($first, $count);
    print STDERR "perfect.pl: wrong: a sum differs from the sieve's\n";
    exit 1;
}
print "perfect @perfect; amicable @amicable; ",
    join(', ', map { "$kinds{$_} $_" } sort keys %kinds), "\n";
