#pragma once
// One thread's freed blocks, by size, which serve its next requests: the newest first, so that what
// is hot stays here. Only the library's blocks, unchanged: each may go back at any time. A size
// whose blocks are not soon asked for again is closed, and costs the library's call and little
// more.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/source/mmap_heap.h>

#include "agnostic/library.h"

namespace mmt::agnostic {

class Magazines {
 public:
  // In bytes. Larger blocks are the library's alone.
  static constexpr size_t kLargest = 1024;

  // nullptr: there is none of that size, or the size is not known yet.
  MMT_ALWAYS_INLINE void* take(size_t bytes) {
    Magazine& magazine = magazines_[serves_[granules_over(bytes)]];
    const uint32_t count = magazine.count;
    if (MMT_UNLIKELY(count == 0)) return nullptr;
    ++magazine.hits;
    magazine.count = count - 1;
    return magazine.blocks[count - 1];
  }
  // `size` is what the library says of the block, at most kLargest. False: there is no room.
  MMT_ALWAYS_INLINE bool give(void* block, size_t size) {
    Magazine& magazine = magazines_[size / kGranule];
    const uint32_t count = magazine.count;
    if (MMT_UNLIKELY(count == magazine.room)) return false;
    magazine.blocks[count] = block;
    magazine.count = count + 1;
    return true;
  }

  // After take() and give() have failed: does it by the library.
  void* allocate(size_t bytes);
  void free(void* block, size_t size);

  // True once for so many failures: time for review().
  bool is_due() {
    if (MMT_LIKELY(++failures_ < kReview)) return false;
    failures_ = 0;
    return true;
  }
  // Closes the sizes that do not pay. False: recycling as a whole did not pay since the last time.
  bool review();
  // Gives all to the library, and opens all sizes again.
  void clear();

 private:
  static constexpr size_t kGranule = 8;
  static constexpr size_t kSizes = kLargest / kGranule + 1;
  static constexpr uint32_t kReview = 4096;
  // After so many requests in a row for one size, the next ones are expected to be for it as well:
  // so many are taken at once. Shorter runs are not, as the library lays side by side what is
  // allocated one after the other.
  static constexpr uint32_t kRun = 16;
  static constexpr uint32_t kBatch = 31;
  // After so many reviews all sizes are open again.
  static constexpr uint32_t kReopen = 32;
  // A size is judged when it has failed so often.
  static constexpr uint32_t kFewest = 64;

  // Room 0: not opened yet, or closed.
  struct Magazine {
    void** blocks;
    uint32_t count;
    uint32_t room;
    uint32_t hits;      // since the last review
    uint32_t failures;  // the same
    uint32_t largest;   // room when it is open; 0: no memory yet
    bool is_closed;
  };

  static constexpr size_t granules_over(size_t bytes) { return (bytes + kGranule - 1) / kGranule; }
  static uint32_t room_for(size_t size);
  bool open(Magazine& magazine, size_t size);
  void* learn(size_t bytes);
  void* refill(uint8_t index);
  void close(Magazine& magazine);

  // By the request in granules, rounded up: the magazine whose blocks are large enough; 0 is none.
  uint8_t serves_[kSizes]{};
  uint32_t failures_ = 0;
  uint32_t reviews_ = 0;
  // Requests that no magazine served, one after the other, for blocks of one size.
  uint32_t run_ = 0;
  uint8_t run_of_ = 0;
  Magazine magazines_[kSizes]{};
};

}  // namespace mmt::agnostic
