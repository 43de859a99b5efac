"""Opens what is written for the user, where others may have put something of that name before. A
link of theirs is not followed, a pipe of theirs not waited for, and a file of theirs is replaced,
not written into. The command has the same in src/tracefile/output_file.cpp.
"""

import contextlib
import errno
import os
import stat

_MOST_LINKS = 40
_MOST_TRIES = 3


def behind_links(path):
    """Where the user's own links lead, and root's; an OSError, ELOOP, for another user's."""
    at = os.fspath(path)
    for _ in range(_MOST_LINKS):
        try:
            status = os.lstat(at)
        except FileNotFoundError:
            return at
        if not stat.S_ISLNK(status.st_mode) or _is_of_kernel(status):
            return at
        if status.st_uid not in (0, os.geteuid()):
            raise OSError(errno.ELOOP, "it is a link of another user's")
        at = os.path.join(os.path.dirname(at), os.readlink(at))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def open_output(path):
    """A descriptor; what a file of the user's own holds stays until it is written. Raises OSError."""
    path = behind_links(path)
    flags = os.O_WRONLY | os.O_CLOEXEC | os.O_NOCTTY
    for _ in range(_MOST_TRIES):
        with contextlib.suppress(FileExistsError):
            return os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        with contextlib.suppress(FileNotFoundError):
            status = os.lstat(path)
            if _is_of_kernel(status):
                return os.open(path, flags)
            if _is_own(status):
                descriptor = os.open(path, flags | os.O_NOFOLLOW)
                if _is_own(os.fstat(descriptor)):
                    return descriptor
                os.close(descriptor)
            os.unlink(path)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def open_to_append(path):
    """A descriptor for reading what was appended before, and appending more. Raises OSError; so also where
    the file is another user's, or no file."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(behind_links(path), flags, 0o666)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and _is_own(status):
        return descriptor
    os.close(descriptor)
    raise PermissionError(errno.EPERM, "it is no file of the user's own")


def _is_of_kernel(status):
    """What the kernel makes of open files has no path: /dev/stdout and /dev/fd/3 lead there."""
    try:
        return status.st_dev == os.stat("/proc/self/fd").st_dev
    except OSError:
        return False


def _is_own(status):
    """A file of the user's, of one name; a pipe of the user's or root's; a device."""
    if stat.S_ISFIFO(status.st_mode):
        return status.st_uid in (0, os.geteuid())
    return not stat.S_ISREG(status.st_mode) or (status.st_uid == os.geteuid() and status.st_nlink == 1)
