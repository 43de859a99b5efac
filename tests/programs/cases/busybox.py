"""busybox, linked statically: `mmt run` cannot help it, says so, and runs it all the same."""

PACKAGES = ["busybox-static"]


def case(lab):
    through_mmt = lab.allocator.name == "mmt run"
    script = "seq 1 2000 | busybox sort -r | busybox md5sum; echo err >&2; exit 3"
    words = ["busybox", "sh", "-c", script]
    out = lab.run(words, status=3, stderr=not through_mmt, record=not through_mmt, loads=[])
    if not through_mmt:
        return
    for part in ("status", "stdout"):
        lab.observe(f"busybox {script[-40:]}"[:60] + f": {part}", getattr(out, part))
    lab.require(b"static" in out.stderr and out.stderr.endswith(b"err\n"), out.stderr.decode())
