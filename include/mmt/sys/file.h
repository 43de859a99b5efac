#pragma once
// Reading and writing by raw calls: no errno, no allocation, any context.
#include <cstddef>

namespace mmt::sys {

// The first `bytes` of a file, or as much as there is, by one call. How much, or -errno.
long read_file(const char* path, char* data, size_t bytes);

// Replaces the contents of `path`, which is created when it is not there (mode 0644, less the
// umask). A link or a pipe that another user, not root, has put there is not followed: -ELOOP,
// -EACCES. 0, or -errno of the step that failed; a part may have been written then.
long write_file(const char* path, const char* data, size_t bytes);

// The same to an open file, whole unless it fails.
long write_all(int fd, const char* data, size_t bytes);

// Makes a new file with these contents, for its owner alone, and maps it in memory. What is written
// there is in the file, also when the process has been killed since. Returns nullptr when the file
// is there already, cannot be made, or exceeds the limit of file sizes, which would be a signal.
// Then *error is -errno.
void* map_new_file(const char* path, const void* data, size_t bytes, long* error);
void unmap_file(void* data, size_t bytes);

// Whether a short write to it would not have to wait. False where the kernel does not say.
bool can_write(int fd);

}  // namespace mmt::sys
