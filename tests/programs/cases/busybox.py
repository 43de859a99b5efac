"""busybox, linked statically: `mmt run` cannot help it, says so, and runs it all the same."""

PACKAGES = ["busybox-static"]


def case(lab):
    through_mmt = lab.allocator.name.startswith("mmt run")
    script = "seq 1 2000 | busybox sort -r | busybox md5sum; echo err >&2; exit 3"
    out = lab.run(["busybox", "sh", "-c", script], status=3, record=False, loads=[])
    lab.observe("status and output", (out.status, out.stdout))
    said, _, rest = out.stderr.rpartition(b"err\n")
    lab.observe("after the message", rest)
    lab.require((b"static" in said) == through_mmt, f"stderr is {out.stderr.decode()!r}")
