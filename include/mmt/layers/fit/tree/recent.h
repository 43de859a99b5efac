#pragma once
// This keeps the last chunks of a class that were freed, in the order of their addresses, before
// they come into its tree. First fit takes the lowest chunk of both, so what is given out stays the
// same. Only its cost differs, as blocks that live briefly come back from here.
#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/policy.h>

namespace mmt::layers::fit {

class RecentChunks {
 public:
  static constexpr size_t kMost = 16;

  size_t count() const { return count_; }
  bool is_full() const { return count_ == kMost; }
  const FreeChunk& operator[](size_t i) const { return chunks_[i]; }

  // The lowest of at least so many bytes; count(): there is none.
  MMT_ALWAYS_INLINE size_t find(size_t bytes) const {
    for (size_t i = count_; i-- > 0;) {
      if (MMT_LIKELY(chunks_[i].bytes >= bytes)) return i;
    }
    return count_;
  }
  // Must not be full.
  MMT_ALWAYS_INLINE void insert(FreeChunk chunk) {
    size_t i = count_++;
    for (; i > 0 && chunks_[i - 1].at < chunk.at; --i) chunks_[i] = chunks_[i - 1];
    chunks_[i] = chunk;
  }
  MMT_ALWAYS_INLINE void remove(size_t i) {
    --count_;
    for (; i < count_; ++i) chunks_[i] = chunks_[i + 1];
  }
  FreeChunk take_highest() {
    const FreeChunk highest = chunks_[0];
    remove(0);
    return highest;
  }

 private:
  FreeChunk chunks_[kMost] = {};  // the lowest last
  size_t count_ = 0;
};

}  // namespace mmt::layers::fit
