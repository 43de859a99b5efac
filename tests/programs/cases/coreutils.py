"""coreutils: sort (also with threads and temporary files), uniq, ls, wc, cp, sums, tac, shuf."""

PACKAGES = ["coreutils"]


def lines(count):
    state, out = 12345, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        out.append(f"{state % 5000} word{state % 997} {state}")
    return "\n".join(out) + "\n"


def case(lab):
    lab.write("data", lines(60000))
    lab.write("fixed", bytes((i * 7919 + i // 256) % 256 for i in range(1 << 20)))
    lab.run(["sort", "data"])
    lab.run(["sort", "-n", "-k3", "--parallel=2", "data"])
    lab.run(["sort", "-S", "100k", "-T", ".", "-u", "-k2", "data"])
    lab.run(["shuf", "--random-source=fixed", "data"])
    lab.run(["shuf", "-i", "1-20000", "-n", "5000", "--random-source=fixed"])
    lab.run(["sort", "-o", "sorted", "data"])
    lab.run(["uniq", "-c", "-w", "3", "sorted"])
    lab.run(["comm", "-12", "sorted", "sorted"])
    lab.run(["join", "sorted", "sorted", "-1", "3", "-2", "3"], status=None)
    lab.run(["tac", "data"])
    lab.run(["wc", "data", "sorted", "fixed"])
    lab.run(["cut", "-d", " ", "-f", "2,3", "data"])
    lab.run(["paste", "data", "sorted"])
    lab.run(["pr", "-3", "-D", "date", "data"])
    lab.run(["fold", "-w", "20", "data"])
    lab.run(["split", "-l", "777", "data", "part."])
    lab.run(["cp", "-r", "--preserve=timestamps", ".", "../copy"])
    lab.run(["rm", "-r", "../copy"])
    lab.run(["ls", "-1R", "."])
    lab.run(["du", "-a", "--apparent-size", "."])
    lab.run(["sha256sum", "data", "fixed", "part.aa"])
    lab.run(["b2sum", "data"])
    lab.run(["md5sum", "fixed"])
    lab.run(["cksum", "fixed"])
    lab.run(["base64", "fixed"])
    lab.run(["od", "-t", "x1z", "-N", "65536", "fixed"])
    lab.run(["factor", *[str(10**15 + i) for i in range(40)]])
    lab.run(["factor", "123456789012345678901234567890123456789"])
    lab.run(["tsort"], stdin="".join(f"n{i} n{i // 2}\n" for i in range(1, 5000)))
    lab.run(["expr", "9" * 200, "*", "7" * 300])
    lab.run(["numfmt", "--to=iec"], stdin="".join(f"{i * 977}\n" for i in range(20000)))
    lab.run(["ls", "missing"], status=2)
