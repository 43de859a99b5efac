// The shadow is what a heap has given out, as the caller knows it. No two blocks overlap, and each
// keeps the contents that were written into all of its usable bytes. One thread uses a shadow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "unit/layers/conformance/findings.h"

namespace mmt::layers::conformance {

class ShadowBlocks {
 public:
  struct Entry {
    char* data;
    size_t asked;
    size_t usable;  // of which all is filled
    unsigned char value;
    bool is_plain;  // from malloc, and not resized since: free may say the size
  };

  explicit ShadowBlocks(Findings& findings) : findings_(findings) {}

  // Notes a block, by order of age, and fills it.
  void add(void* block, size_t asked, size_t usable, bool is_plain);
  // Checks contents, and forgets the block, which is still in use.
  Entry remove(size_t index);
  // The block was moved or resized; of its contents, `kept` bytes at least are as they were, or
  // all.
  void change(size_t index, void* block, size_t asked, size_t usable, size_t kept);
  void check_contents() const;
  void forget() {
    by_age_.clear();
    by_address_.clear();
  }

  size_t count() const { return by_age_.size(); }
  size_t bytes() const;
  const Entry& operator[](size_t index) const { return by_age_[index]; }

 private:
  void check(const Entry& entry, size_t bytes) const;
  void place(const Entry& entry);
  void fill(Entry& entry);

  Findings& findings_;
  std::vector<Entry> by_age_;
  std::map<const char*, size_t> by_address_;  // to bytes
  unsigned char next_value_ = 0;
};

}  // namespace mmt::layers::conformance
