#pragma once
// Blocks with mappings of their own have no states. The mapping tells that the block is live. Its
// last sixteen bytes are one word, which tells its form and its size, and a tail (words.h). The gap
// lies before these.
#include <cstddef>
#include <cstdint>

#include "harden/object.h"

namespace mmt::harden {

// What every block of whole pages has behind what the program asked for.
constexpr size_t mapped_tail_bytes() { return 2 * kTailBytes; }

struct MappedTail {
  uint64_t word;  // excess * 8 + form, mixed
  Tail tail;

  Form form() const { return static_cast<Form>((word ^ secrets.sum) & 7); }
  size_t bytes(size_t size) const {
    const size_t excess = (word ^ secrets.sum) >> 3;
    const size_t most = size - mapped_tail_bytes();
    return excess <= most ? most - excess : most;
  }
};

void lay_out_mapped(void* block, size_t size, size_t bytes, Form form, Site caller);
MappedTail mapped_tail_of(const void* block, size_t size);
// Reports what is damaged, and what the call says of the block that is not so.
void check_mapped(const void* block, size_t size, const MappedTail& seen, Call call);

// Keeps the last blocks of pages that were freed: a second free of one is known then, and a write
// to one. `live` is its tail, wherever that lies.
void note_gone(const void* block, size_t size, Tail live, Site freed);
// False: it was not among the last.
bool is_gone(const void* block, Tail* seen);
// The same for any address in the block.
bool was_gone_around(const void* address, const void** block, Tail* seen);

}  // namespace mmt::harden
