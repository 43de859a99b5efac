// An allocator of a test's own, for its operators new and delete: a header before each block, by
// which the operators know theirs. A block that came from elsewhere, or goes elsewhere, is found
// out.
#pragma once

#include <stddef.h>

#include "support/expect.h"

struct HeadedCounts {
  long taken;
  long given;
};

inline HeadedCounts headed_counts;

class HeadedBlocks {
 public:
  static void* take(size_t bytes, size_t alignment = 16) {
    const size_t before = alignment < sizeof(Header) ? sizeof(Header) : alignment;
    auto* const whole = static_cast<char*>(aligned_alloc(before, before + bytes));
    if (whole == nullptr) return nullptr;
    char* const block = whole + before;
    *header_of(block) = {kMark ^ reinterpret_cast<uintptr_t>(block), whole, {}};
    ++headed_counts.taken;
    return block;
  }
  static void give(void* block) {
    if (block == nullptr) return;
    Header* const header = header_of(block);
    EXPECT(header->mark == (kMark ^ reinterpret_cast<uintptr_t>(block)), "%p", block);
    header->mark = 0;
    ++headed_counts.given;
    free(header->whole);
  }

 private:
  static constexpr uintptr_t kMark = 0x48454144424c4f43;
  struct Header {
    uintptr_t mark;
    void* whole;
    uintptr_t unused[2];
  };
  static Header* header_of(void* block) { return static_cast<Header*>(block) - 1; }
};
