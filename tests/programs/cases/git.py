"""git: init, many commits with fixed dates, branches, merge, repack by threads, gc, fsck, clone."""

import os

PACKAGES = ["git"]

DATES = {"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}
PEOPLE = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "A Person"), ("EMAIL", "person@localhost"))
}
ENV = {**DATES, **PEOPLE, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat", "GIT_ADVICE": "0"}


def content(number, version):
    rows = (
        f"line {i} of {number}: {(i * 31 + number + (version if i % 9 == 0 else 0)) % 1013}"
        for i in range(300)
    )
    return "\n".join(rows) + "\n"


def case(lab):
    def git(*words, cwd="repo", **options):
        options.setdefault("label", " ".join(["git", *words])[:60])
        return lab.run(["git", *words], env=ENV, cwd=lab.path(cwd), **options)

    os.makedirs(lab.path("repo"))
    git("init", "-q", "-b", "main")
    git("config", "pack.threads", "2")
    for version in range(8):
        for number in range(120):
            if version == 0 or number % 8 == version:
                lab.write(f"repo/dir{number % 7}/file{number}.txt", content(number, version))
        git("add", ".")
        git("commit", "-q", "-m", f"Version {version}")
    git("checkout", "-q", "-b", "side", "HEAD~3")
    lab.write("repo/side.txt", content(999, 1))
    git("add", ".")
    git("commit", "-q", "-m", "Side")
    git("merge", "-q", "--no-edit", "main")
    git("log", "--stat", "--graph")
    git("log", "-p", "--all", "-M")
    git("blame", "dir1/file1.txt")
    git("diff", "HEAD~3", "--word-diff", "--patience")
    git("grep", "-c", "-E", "of 1[0-9]+: 7", "HEAD")
    git("repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=30")
    git("gc", "-q", "--aggressive", "--prune=now")
    git("fsck", "--full", "--strict", "--no-progress")
    git("cat-file", "--batch-all-objects", "--batch-check")
    git("archive", "--format=tar", "HEAD")
    git("clone", "-q", "--no-local", "repo", "copy", cwd=".")
    git("rev-parse", "HEAD", cwd="copy")
    git("rebase", "-q", "HEAD~2", cwd="copy", stderr=False)
    git("log", "--format=%H %T %s", cwd="copy")
    git("bundle", "create", "-q", "../all.bundle", "--all")
    git("show", "no-such-thing", status=128)
