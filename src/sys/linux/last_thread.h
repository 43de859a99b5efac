#pragma once
// How a thread below libc ends where it may be the process's last. The kernel takes the process's
// exit status from the last thread, which is the program's to choose.
namespace mmt::sys {

// Where the main thread has ended and no other is left, what it has ended with becomes the
// process's: by a status to end with, or by the signal that ended it, which does not return. 0
// elsewhere, and where it cannot be told: without /proc, or under a seccomp filter.
// Opens a file, in a table of descriptors of its own.
int status_of_last_thread();

}  // namespace mmt::sys
