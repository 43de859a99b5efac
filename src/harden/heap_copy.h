#pragma once
// The heap's bytes in a copy. Another thread may guard them or give them back meanwhile: to read
// them where they are would then end the process. What is copied may be half old and half new.
// For one thread at a time.
#include <cstddef>

#include "heap/store/budget.h"

namespace mmt::harden {

class HeapCopy {
 public:
  static constexpr size_t kBytes = size_t{64} << 10;

  explicit HeapCopy(store::Budget& budget) : budget_(budget) {}
  ~HeapCopy();
  HeapCopy(const HeapCopy&) = delete;
  HeapCopy& operator=(const HeapCopy&) = delete;

  // Where the `bytes` at `from`, at most kBytes, lie in a copy that may be some looks old. What
  // lies behind them up to `end` is copied with them, as it is wanted next. Valid until the next
  // call. nullptr: they cannot be read, or there is no memory.
  const char* of(const char* from, size_t bytes, const char* end);
  // The same, copied now.
  const char* fresh(const char* from, size_t bytes);

  // How many bytes have been copied.
  size_t copied() const { return copied_; }

 private:
  bool open();

  store::Budget& budget_;
  char* buffer_ = nullptr;
  const char* from_ = nullptr;
  size_t bytes_ = 0;
  size_t copied_ = 0;
};

}  // namespace mmt::harden
