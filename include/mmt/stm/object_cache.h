// Blocks that a thread keeps for its own next transactions: a bounded list for each size from 8 to
// 256 bytes. Exactly each, since a block that the program freed may be no larger than it says.
// It is one thread's.
#pragma once

#include <cstddef>

#include <mmt/stm/log.h>
#include <mmt/stm/options.h>

namespace mmt::stm {

class ObjectCache {
 public:
  explicit ObjectCache(const Options& options)
      : on_(options.caching != Caching::kNone),
        most_(options.most_cached),
        supply_(options.supply) {}
  ObjectCache(const ObjectCache&) = delete;
  ObjectCache& operator=(const ObjectCache&) = delete;
  ~ObjectCache() {
    for (List& list : lists_) {
      while (list.count > 0) supply_.free(list.blocks[--list.count]);
      if (list.blocks != nullptr) supply_.free(list.blocks);
    }
  }

  // A block of so many bytes, or null.
  void* take(size_t bytes) {
    if (!on_ || !is_cached(bytes)) return nullptr;
    List& list = lists_[bytes - kLeastBytes];
    return list.count == 0 ? nullptr : list.blocks[--list.count];
  }

  // False: it is not kept, because its size is not known or not cached, or there are enough.
  bool put(void* block, size_t bytes) {
    if (!on_ || !is_cached(bytes)) return false;
    List& list = lists_[bytes - kLeastBytes];
    if (list.count == most_ || !ready(&list)) return false;
    list.blocks[list.count++] = block;
    return true;
  }

 private:
  static constexpr size_t kLeastBytes = 8;
  static constexpr size_t kMostBytes = 256;
  struct List {
    void** blocks = nullptr;
    unsigned count = 0;
  };

  static bool is_cached(size_t bytes) { return bytes >= kLeastBytes && bytes <= kMostBytes; }
  bool ready(List* list) {
    if (list->blocks == nullptr) {
      list->blocks = static_cast<void**>(supply_.allocate(most_ * sizeof(void*)));
    }
    return list->blocks != nullptr;
  }

  const bool on_;
  const unsigned most_;
  const Supply& supply_;
  List lists_[kMostBytes - kLeastBytes + 1];
};

}  // namespace mmt::stm
