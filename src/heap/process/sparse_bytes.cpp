#include "heap/process/sparse_bytes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

namespace mmt::heap {
namespace {

bool is_zero(const char* at, size_t bytes) {
  uint64_t words[8];
  for (; bytes >= sizeof words; at += sizeof words, bytes -= sizeof words) {
    memcpy(words, at, sizeof words);
    uint64_t any = 0;
    for (const uint64_t word : words) any |= word;
    if (any != 0) return false;
  }
  for (; bytes != 0; ++at, --bytes)
    if (*at != 0) return false;
  return true;
}

// visit(offset, bytes) for what of the range lies in each page.
template <class Visit>
MMT_ALWAYS_INLINE void for_each_page(const char* start, size_t bytes, Visit&& visit) {
  size_t offset = 0;
  while (offset < bytes) {
    const auto at = reinterpret_cast<uintptr_t>(start) + offset;
    const size_t part = std::min(bytes - offset, sys::kPageSize - at % sys::kPageSize);
    visit(offset, part);
    offset += part;
  }
}

}  // namespace

void clear_sparsely(char* at, size_t bytes) {
  for_each_page(at, bytes, [=](size_t offset, size_t part) {
    if (!is_zero(at + offset, part)) memset(at + offset, 0, part);
  });
}

void copy_to_zeroed(char* to, const char* from, size_t bytes) {
  for_each_page(to, bytes, [=](size_t offset, size_t part) {
    if (!is_zero(from + offset, part)) memcpy(to + offset, from + offset, part);
  });
}

}  // namespace mmt::heap
