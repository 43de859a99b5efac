#include "preload/environment.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstring>

extern char** environ;

namespace mmt::preload {
namespace {

constexpr char kPreload[] = "LD_PRELOAD=";
// What the loader takes for separators.
constexpr char kSeparators[] = ": ";

struct Entry {
  const char* data;
  size_t size;
};

const char* file_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

// An entry may name the library by another path than the one it was found at.
bool names_library(Entry entry, const char* library) {
  const auto* slash = static_cast<const char*>(memrchr(entry.data, '/', entry.size));
  if (slash != nullptr) {
    entry.size -= static_cast<size_t>(slash + 1 - entry.data);
    entry.data = slash + 1;
  }
  const char* name = file_name(library);
  return strlen(name) == entry.size && memcmp(name, entry.data, entry.size) == 0;
}

// Takes the library out of a list of libraries; true when others remain.
bool filter_list(char* list, const char* library) {
  char* to = list;
  const char* from = list;
  while (*from != '\0') {
    const size_t size = strcspn(from, kSeparators);
    const Entry entry{from, size};
    if (size != 0 && !names_library(entry, library)) {
      if (to != list) *to++ = ':';
      memmove(to, from, size);
      to += size;
    }
    from += size;
    if (*from != '\0') ++from;
  }
  *to = '\0';
  return to != list;
}

}  // namespace

void remove_library(char** environment, const char* library) {
  if (environment == nullptr) return;
  char** to = environment;
  for (char** from = environment; *from != nullptr; ++from) {
    if (strncmp(*from, "MMT_", 4) == 0) continue;
    if (strncmp(*from, kPreload, sizeof kPreload - 1) == 0 &&
        !filter_list(*from + sizeof kPreload - 1, library))
      continue;
    *to++ = *from;
  }
  *to = nullptr;
}

void stop_following() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&stop_following), &info) == 0) return;
  remove_library(environ, info.dli_fname);
}

}  // namespace mmt::preload
