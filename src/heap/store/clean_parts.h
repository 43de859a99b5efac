#pragma once
// Which parts of a large block read as zero, as they hold no memory, or what was prepared:
// ascending, apart from each other. It is one thread's at a time.
#include <cstddef>
#include <cstdint>

namespace mmt::store {

class CleanParts {
 public:
  struct Part {
    char* start;
    size_t bytes;
    char* end() const { return start + bytes; }
  };

  // What comes after so many counts as memory that was used. They lie on the stack of the program.
  static constexpr size_t kMost = 11;

  void clear() { count_ = 0; }
  void add(void* start, size_t bytes) {
    if (count_ < kMost) parts_[count_++] = {static_cast<char*>(start), bytes};
  }

  bool empty() const { return count_ == 0; }

  Part* begin() { return parts_; }
  Part* end() { return parts_ + count_; }
  const Part* begin() const { return parts_; }
  const Part* end() const { return parts_ + count_; }

 private:
  size_t count_ = 0;
  Part parts_[kMost];
};

}  // namespace mmt::store
