#pragma once
// A Span is the record of one span or of one large block. A span is a run of 1, 4 or 16 slots cut
// into blocks of one class. The record is kept in the region's tables under its first slot. Only
// the depot lock's holder writes the record.
//
// These are the states of a span, which the lock's holder may change:
// - queued: its depot queue holds it (some blocks are free).
// - loose: it has too few free blocks to be queued.
//
// A span whose blocks are all free is dissolved: its slots go back to the free map.
#include <cstdint>

namespace mmt::store {

// What the program has done to pages of its blocks: what they are like, or what is mapped there.
enum class Change : uint8_t { kNone, kFlags, kMapping };

inline void add_change(Change* to, Change change) {
  if (change > *to) *to = change;
}

enum class SpanQueueKind : uint8_t { kNone, kPoor, kRich };

// What has happened to a span's free blocks lately; see Thinning.
enum class SpanIdle : uint8_t {
  kTouched,  // some were taken or put back since the last look
  kSeen,     // nothing, since then
  kThinned,  // nothing, and its free pages have gone back to the OS
};

struct Span {
  // Links of the address-ordered queue; see SpanQueue.
  uint32_t first_child;
  uint32_t next_sibling;
  uint32_t previous;

  uint32_t free_blocks;  // bits set in the span's free bitmap
  SpanQueueKind queue;
  uint8_t size_class;
  SpanIdle idle;
  bool clean_room : 1;  // of a large block: its slots beyond used_slots read as zero
  bool emptied : 1;     // of a run on its way back without the lock: its used slots hold no memory

  // These two are for a large block.
  uint32_t large_slots;  // slots it owns, room to grow included; of a span, see ReturnedBlocks
  uint32_t used_slots;   // the first of them, which may hold memory

  // See NotedChanges. `change` also describes a large block as a whole; the others describe each
  // slot of a span.
  uint16_t changed_pages;  // one bit a page
  uint8_t changed_class;   // the size class behind the code kChanged
  Change change;

  uint64_t large_bytes;  // of a large block, that the program may use: whole pages
};
static_assert(sizeof(Span) == 40);

}  // namespace mmt::store
