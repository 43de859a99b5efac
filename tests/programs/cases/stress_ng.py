"""stress-ng's memory, thread and process stressors, each with its own verification."""

PACKAGES = ["stress-ng"]

STRESSORS = {
    "malloc": ["--malloc", "2", "--malloc-pthreads", "4", "--malloc-bytes", "16M"],
    "pthread": ["--pthread", "2", "--pthread-max", "64"],
    "fork": ["--fork", "2", "--fork-max", "8"],
    "vfork": ["--vfork", "1"],
    "spawn": ["--spawn", "1"],
    "tree": ["--tree", "1", "--tree-size", "20000"],
    "hash": ["--hsearch", "1"],
    "list": ["--list", "1"],
    "sort": ["--mergesort", "1"],
    "mremap": ["--mremap", "1", "--mremap-bytes", "16M"],
    "signals": ["--sigsegv", "1"],
}
OPERATIONS = {"malloc": 40000, "pthread": 3000, "fork": 400, "vfork": 400, "spawn": 50}


def case(lab):
    for name, words in STRESSORS.items():
        first = words[0].removeprefix("--")
        limit = [f"--{first}-ops", str(OPERATIONS.get(name, 20)), "--timeout", "30"]
        words = ["stress-ng", "--quiet", "--verify", "--temp-path", lab.folder, *words, *limit]
        lab.run(words, label=name)
