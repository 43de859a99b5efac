#!/usr/bin/env python3
"""Starts a command as root in a plain container is. It has the capabilities that engines leave by
default. A filter of system calls refuses name spaces, mounts, tracing and what else their default
refuses. Nothing else is contained. Needs root; x86-64.

  tools/plain_container.py COMMAND...
"""

import ctypes
import errno
import os
import struct
import sys

# Left by default: chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service,
# net_raw, sys_chroot, mknod, audit_write, setfcap (numbers of linux/capability.h).
KEPT = sum(1 << one for one in (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31))
LAST = 40  # checkpoint_restore

# Refused with EPERM (numbers of x86-64):
#   ptrace, syslog, vhangup, pivot_root, acct, settimeofday, mount, umount2, swapon, swapoff, reboot, sethostname,
#   setdomainname, iopl, ioperm, init_module, delete_module, quotactl, lookup_dcookie, clock_settime, mbind,
#   set_mempolicy, get_mempolicy, kexec_load, add_key, request_key, keyctl, migrate_pages, unshare, move_pages,
#   perf_event_open, fanotify_init, name_to_handle_at, open_by_handle_at, setns, process_vm_readv,
#   process_vm_writev, kcmp, finit_module, bpf, userfaultfd.
REFUSED = (
    101, 103, 153, 155, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 175, 176, 179, 212, 227,
    237, 238, 239, 246, 248, 249, 250, 256, 272, 279, 298, 300, 303, 304, 308, 310, 311, 312, 313, 321, 323,
)  # fmt: skip
CLONE, CLONE3, PERSONALITY = 56, 435, 135
NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
X86_64 = 0xC000003E

PR_CAPBSET_DROP, PR_SET_SECCOMP, PR_CAP_AMBIENT, MODE_FILTER = 24, 22, 47, 2
PR_CAP_AMBIENT_CLEAR_ALL = 4
LOAD, EQUAL, AND, RETURN = 0x20, 0x15, 0x54, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
NUMBER, ARCH, FIRST_ARGUMENT = 0, 4, 16


def filter_program():
    """Instructions of classic BPF, (code, if true, if false, constant): jumps count instructions."""
    refuse, allow = (RETURN, 0, 0, ERROR | errno.EPERM), (RETURN, 0, 0, ALLOW)
    program = [(LOAD, 0, 0, ARCH), (EQUAL, 1, 0, X86_64), refuse, (LOAD, 0, 0, NUMBER)]
    for number in REFUSED:
        program += [(EQUAL, 0, 1, number), refuse]
    program += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, ERROR | errno.ENOSYS)]  # callers fall back to clone
    program += [(EQUAL, 0, 5, CLONE), (LOAD, 0, 0, FIRST_ARGUMENT), (AND, 0, 0, NEW_NAMESPACES)]
    program += [(EQUAL, 0, 1, 0), allow, refuse]
    program += [(EQUAL, 0, len(PERSONALITIES) * 2 + 2, PERSONALITY), (LOAD, 0, 0, FIRST_ARGUMENT)]
    for one in PERSONALITIES:
        program += [(EQUAL, 0, 1, one), allow]
    return program + [refuse, allow]


def check(result):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def confine():
    libc = ctypes.CDLL(None, use_errno=True)
    instructions = b"".join(struct.pack("HBBI", *one) for one in filter_program())
    program = ctypes.create_string_buffer(instructions)
    header = struct.pack("HxxxxxxP", len(instructions) // 8, ctypes.addressof(program))
    check(libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.c_char_p(header), 0, 0))
    for one in range(LAST + 1):
        if not KEPT >> one & 1:
            check(libc.prctl(PR_CAPBSET_DROP, one, 0, 0, 0))
    check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
    low, high = KEPT & 0xFFFFFFFF, KEPT >> 32
    # Version 3 has effective, permitted and inheritable capabilities, by halves.
    data = struct.pack("6I", low, low, 0, high, high, 0)
    check(libc.capset(struct.pack("Ii", 0x20080522, 0), data))


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: tools/plain_container.py COMMAND...")
    confine()
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
