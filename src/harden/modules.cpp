#include "harden/modules.h"

#include <fcntl.h>

#include <cstring>

#include <mmt/sys/syscall.h>

#include "core/text.h"

namespace mmt::harden {
namespace {

using core::Text;

constexpr size_t kLongest = 4096 + 128;  // of a line, a path included
char buffer[2 * kLongest];
char path[4096];

uintptr_t take_hex(Text* from) {
  uintptr_t value = 0;
  size_t at = 0;
  for (; at < from->size; ++at) {
    const char c = from->data[at];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) break;
    value = value << 4 | static_cast<uintptr_t>(digit);
  }
  *from = from->from(at);
  return value;
}

struct Line {
  uintptr_t start;
  uintptr_t end;
  Text path;
};

// "start-end rights offset device inode   path"
Line read_line(Text text) {
  Line line{};
  line.start = take_hex(&text);
  if (text.size != 0) text = text.from(1);
  line.end = take_hex(&text);
  for (int field = 0; field < 4; ++field) {
    while (text.size != 0 && *text.data == ' ') text = text.from(1);
    while (text.size != 0 && *text.data != ' ') text = text.from(1);
  }
  while (text.size != 0 && *text.data == ' ') text = text.from(1);
  line.path = text;
  return line;
}

// visit(line) for each mapping until it returns true.
template <class Visit>
void for_each_mapping(Visit&& visit) {
  const long file = sys::raw_syscall(SYS_openat, AT_FDCWD, sys::pointer_argument("/proc/self/maps"),
                                     O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  size_t have = 0;
  bool is_done = false;
  while (!is_done) {
    const long got = sys::raw_syscall(SYS_read, file, sys::pointer_argument(buffer + have),
                                      static_cast<long>(sizeof buffer - have));
    if (got <= 0) break;
    have += static_cast<size_t>(got);
    size_t from = 0;
    while (!is_done) {
      const auto* end = static_cast<const char*>(memchr(buffer + from, '\n', have - from));
      if (end == nullptr) break;
      const auto size = static_cast<size_t>(end - (buffer + from));
      is_done = visit(read_line({buffer + from, size}));
      from += size + 1;
    }
    have -= from;
    memmove(buffer, buffer + from, have);
    if (have == sizeof buffer) have = 0;
  }
  sys::raw_syscall(SYS_close, file);
}

}  // namespace

Module module_of(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  Module module{"", 0};
  uintptr_t base = 0;
  size_t path_size = 0;
  path[0] = '\0';
  for_each_mapping([&](const Line& line) {
    const bool is_file = line.path.size != 0 && *line.path.data == '/';
    if (is_file && !line.path.is({path, path_size}) && line.path.size < sizeof path) {
      memcpy(path, line.path.data, line.path.size);
      path_size = line.path.size;
      path[path_size] = '\0';
      base = line.start;
    }
    if (at < line.start || at >= line.end) return false;
    if (is_file) module = {path, at - base};
    return true;
  });
  return module;
}

Mapping mapping_of(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  Mapping mapping = Mapping::kNone;
  uintptr_t end_of_file = 0;  // a library's data may end in pages that are no file's
  for_each_mapping([&](const Line& line) {
    const bool is_file = line.path.size != 0 && *line.path.data == '/';
    const bool is_here = at >= line.start && at < line.end;
    if (is_here) {
      mapping = is_file || (line.path.size == 0 && line.start == end_of_file) ? Mapping::kFile
                : line.path.is(core::text("[stack]"))                         ? Mapping::kStack
                : line.path.is(core::text("[heap]"))                          ? Mapping::kBreak
                                                                              : Mapping::kAnonymous;
    }
    if (is_file) end_of_file = line.end;
    return is_here;
  });
  return mapping;
}

}  // namespace mmt::harden
