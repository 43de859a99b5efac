"""faketime, which stands before the C library's clock in each program, and asks it by malloc and dlsym."""

PACKAGES = ["faketime", "perl", "python3"]

THREADS = """
import threading, time
def work(n):
    for i in range(2000):
        kept = [bytearray(i % 700) for _ in range(20)]
        if i % 50 == 0: time.monotonic(); time.sleep(0)
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print(time.strftime("%Y-%m-%d"), time.gmtime().tm_hour)
"""

FORKS = r"""
my @all = map { "x" x ($_ % 300) } 1 .. 60000;
for (1 .. 4) { my $pid = fork; if (!$pid) { push @all, "y" x $_ for 1 .. 2000; exit 3 } waitpid $pid, 0; print $? >> 8, "\\n" }
my @now = gmtime; print $now[5] + 1900, " ", scalar(@all), "\\n";
"""


def case(lab):
    fixed = "2021-03-04 05:06:07"
    lab.run(["faketime", "-f", fixed, "date", "+%F %T"], loads=["date"])
    lab.run(["faketime", "-f", f"@{fixed}", "date", "+%F"], loads=["date"])
    lab.write("threads.py", THREADS)
    lab.run(["faketime", fixed, "/usr/bin/python3", "-S", "threads.py"], loads=["/usr/bin/python3"])
    lab.write("forks.pl", FORKS)
    lab.run(["faketime", fixed, "perl", "forks.pl"], loads=["perl"])
    # A clock that stands still must not keep the memory thread, or what waits for it, from its end.
    lab.run(["faketime", "-f", fixed, "perl", "forks.pl"], loads=["perl"], label="standing clock")
    lab.run(["faketime", fixed, "sh", "-c", "seq 1 50000 | sort -r | tail -1; date +%F"], loads=["sort"])
    lab.run(["faketime", "-m", fixed, "/usr/bin/python3", "-S", "threads.py"], label="for threads")
