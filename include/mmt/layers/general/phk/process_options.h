// Where a process has its PHK options from. A heap reads them at its first use, from a type with
// `static PhkOptions read()`. Nothing here allocates; errno stays.
#pragma once

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <mmt/layers/general/phk/options.h>

// The program's own, if it has any: `const char* malloc_options = "AJ";`
extern "C" __attribute__((weak)) const char* malloc_options;

namespace mmt::layers {

// The variable does not count where the program has more rights than its user. At most 63 letters
// of the link's text count.
inline PhkOptions read_phk_options(const char* of_program, const char* link = "/etc/malloc.conf") {
  char text[64];
  const int kept = errno;
  const ssize_t length = ::readlink(link, text, sizeof text - 1);
  errno = kept;
  text[length < 0 ? 0 : length] = '\0';
  return phk_options_of(text, ::secure_getenv("MALLOC_OPTIONS"), of_program);
}

struct PhkNoOptions {
  static constexpr PhkOptions read() { return {}; }
};
struct PhkProcessOptions {
  static PhkOptions read() {
    return read_phk_options(&malloc_options != nullptr ? malloc_options : nullptr);
  }
};

}  // namespace mmt::layers
