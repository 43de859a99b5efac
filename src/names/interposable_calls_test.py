#!/usr/bin/env python3
"""A library that replaces malloc leaves nothing to the dynamic linker but what is listed here.

A function that the program or another library may define before libc is one that may allocate, so
none is called inside malloc and free. src/sys/own has definitions of our own; whatever else is named
in the library's relocations stands here, with the reason why it does no harm.
"""

import re
import subprocess
import sys

# A reason, and the names it goes for.
EVERYWHERE = {
    "the start and end of a loaded object": "__cxa_atexit __cxa_finalize __gmon_start__ _ITM_deregisterTMCloneTable "
                                            "_ITM_registerTMCloneTable",
    "data, which nobody calls": "__environ __libc_single_threaded __libc_stack_end __progname __rseq_offset "
                                "__rseq_size _r_debug environ malloc_options mmt_stats_page mmt_stats_peaks "
                                "program_invocation_short_name stderr",
    "not called: its address tells which object is libc": "gnu_get_libc_version",
    "the last words before the end of the process": "abort write",
    "called as the library is loaded; for a block that is not ours, or with memory at its end, outside of any lock":
        "dlopen dlsym",
    "called as the library is loaded and as the process ends": "__register_atfork dladdr",
    "malloc_info and malloc_stats write what has been counted": "ferror fprintf fputs fwrite pthread_setcancelstate",
}
OF_LAYERS = {
    "a protocol before this library puts itself in their place; the gate serves who allocates there":
        "brk madvise mmap mprotect mremap munmap sbrk",
}
# By the kind of library.
OF_KIND = {
    "native": {
        "who watches these is told of pages that go; else they are not called": "madvise mremap munmap",
        "called in the program's own shmat": "shmctl",
    },
    "harden": {
        "called as the library is loaded": "__cxa_at_quick_exit on_exit",
        "called as the process ends, after a report": "fflush",
        "called in the program's own execl and signal": "execv execve execvp sigaddset",
    },
    "layers": OF_LAYERS,
    "protocol": {"not called: whose they are is asked": "free malloc"},
    "trace": {"the allocator behind": "aligned_alloc free malloc"},
    "latency": {
        "the allocator behind": "aligned_alloc free malloc",
        "at the first call, while others, such as theirs, are not counted": "close lseek mmap open",
    },
}


def allowed_to(library_is):
    """What all may leave open, and these kinds. Another word is the name of a function that a
    study's heap calls: such a heap runs no programs but the study's."""
    allowed = {word for word in library_is if word not in OF_KIND}
    for listed in [EVERYWHERE, *(OF_KIND[word] for word in library_is if word in OF_KIND)]:
        for names in listed.values():
            allowed |= set(names.split())
    return allowed


def named_in_relocations(library):
    text = subprocess.run(["readelf", "-rW", library], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^[0-9a-f]+ +[0-9a-f]+ R_\S+ +[0-9a-f]+ +([\w.]+)", text, re.MULTILINE))


library, *kinds = sys.argv[1:]
found = named_in_relocations(library)
if not found:
    sys.exit(f"{library}: readelf shows no relocation by name")
wrong = sorted(found - allowed_to(kinds))
if wrong:
    sys.exit(f"{library} leaves {', '.join(wrong)} to whoever defines it first")
