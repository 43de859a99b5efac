"""tar, gzip, bzip2, xz and zstd with two threads, rsync with its three processes."""

import os

PACKAGES = ["bzip2", "gzip", "rsync", "tar", "xz-utils", "zstd"]


def case(lab):
    for i in range(60):
        text = "".join(f"{(i + 1) * k * 7919 % 10007} " for k in range(2500 if i % 9 else 40000))
        lab.write(f"tree/dir{i % 5}/sub/file{i}", text)
    for folder, _, files in os.walk(lab.path("tree")):
        for name in [*files, "."]:
            os.utime(os.path.join(folder, name), (1700000000, 1700000000))
    owner = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]
    lab.run(["tar", "-cf", "all.tar", *owner, "tree"])
    lab.observe("archive", lab.read("all.tar"))
    packers = {
        "gzip": ["-9", "-n", "-c"],
        "bzip2": ["-c"],
        "xz": ["-T2", "-6", "--block-size=500KiB", "-c"],
        "zstd": ["-T2", "-9", "--long", "-c", "-q"],
    }
    for name, words in packers.items():
        packed = lab.run([name, *words, "all.tar"]).stdout
        lab.run([name, "-d", "-c"], stdin=packed, label=f"{name} back")
        lab.run([name, "-d", "-c"], stdin=packed[:5000], status=None, label=f"{name} cut off")
    lab.write("all.tar.xz", lab.run(["xz", "-T2", "-c", "all.tar"]).stdout)
    lab.run(["tar", "-tvf", "all.tar.xz", "--full-time"], loads=["xz"])
    lab.run(["rsync", "-a", "--checksum", "--itemize-changes", "tree/", "copy"])
    lab.write("tree/dir1/new", "new")
    os.utime(lab.path("tree/dir1/new"), (1700000001, 1700000001))
    lab.run(["rsync", "-ai", "--delete", "--exclude", "*7", "tree/", "copy"], label="rsync again")
    lab.run(["diff", "-r", "tree", "copy"])
