#pragma once
// Thinning: whole pages of free blocks go back to the OS from spans that a few live blocks keep.
//
// begin() and end() want the depot lock; the thread that has the blocks from begin() makes the
// system call in between, without it.
#include <cstddef>
#include <cstdint>

#include "heap/store/discard.h"
#include "heap/store/lock_token.h"
#include "heap/store/region.h"
#include "heap/store/spans.h"

namespace mmt::store {

class Thinning {
 public:
  // Call it once, before anything else.
  void open(Region* region, Spans* spans);

  // Looks at up to `most` places from slot *from on, through the frontier at most, and moves *from
  // on. Spans touched since the last look are noted as seen. The free blocks of the first span that
  // was seen so already are taken into `words`. The result is that span's slot, or kNoSlot without
  // such a span.
  Slot begin(LockToken lock, Slot* from, size_t most, uint64_t* words);
  // Gives whole free pages back to the OS; returns how many bytes.
  size_t thin_pages(Slot slot, const uint64_t* words, Discard discard = nullptr);
  // The blocks are the span's again.
  void end(LockToken lock, Slot slot, const uint64_t* words);

 private:
  Region* region_ = nullptr;
  Spans* spans_ = nullptr;
};

}  // namespace mmt::store
