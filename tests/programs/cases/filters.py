"""Small programs with habits of their own: jq, bc, sed, grep, m4, find, xargs with many jobs."""

import json

PACKAGES = ["bc", "findutils", "grep", "jq", "m4", "sed"]

BC = """
scale = 400
4 * a(1)
define f(n) { if (n <= 1) return 1; return n * f(n - 1); }
f(400)
for (i = 0; i < 150; i++) x += sqrt(i)
x
2 ^ 5000
"""

M4 = """
define(`loop', `ifelse($1, 0, `', `item $1
loop(decr($1))')')dnl
loop(400)
define(`twice', `$1$1')dnl
len(twice(twice(twice(twice(`some text ')))))
esyscmd(`echo from a shell')
"""


def case(lab):
    rows = [{"id": i, "tags": [f"t{i % 7}", f"u{i % 11}"], "n": i * i % 1009} for i in range(15000)]
    text = json.dumps(rows)
    lab.run(["jq", "-c", "group_by(.n) | map({n: .[0].n, ids: map(.id)})"], stdin=text)
    lab.run(["jq", "[.[].tags[]] | group_by(.) | map({(.[0]): length}) | add"], stdin=text)
    lab.run(["jq", "."], stdin=text[:-5], status=None, label="jq cut off")
    lab.run(["bc", "-l"], stdin=BC)
    lab.run(["m4"], stdin=M4)
    lines = "".join(f"{i} {'ab' * (i % 30)} {i * 7919 % 65537}\n" for i in range(40000))
    lab.write("lines", lines)
    lab.run(["sed", "-E", "s/(ab)+ ([0-9])/[\\2]/; /7$/d; 5~9{h;G}; $!N; P; D", "lines"])
    lab.run(["grep", "-E", "-n", "(ab){3,5} .*(12|34|56)$", "lines"])
    lab.run(["grep", "-o", "-i", "-w", "[0-9]*77[0-9]*", "lines"])
    lab.run(["grep", "-c", "-P", "(?<=ab )\\d+(?=5$)", "lines"])
    lab.run(["grep", "-F", "-f", "-", "lines"], stdin="\n".join(str(i) for i in range(9000, 9900)))
    for i in range(300):
        lab.write(f"tree/{i % 17}/{i % 5}/f{i}", "x" * i)
    found = lab.run(
        ["find", "tree", "-type", "f", "-size", "+100c", "-print0"], record=False
    ).stdout
    found = b"\0".join(sorted(found.split(b"\0")))
    out = lab.run(["xargs", "-0", "-n", "4", "-P", "4", "cksum"], stdin=found.strip(b"\0"),
                  record=False)  # fmt: skip
    lab.observe("sums by many children", sorted(out.stdout.split(b"\n")))
