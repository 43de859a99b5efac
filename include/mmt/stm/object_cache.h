// Blocks that a thread keeps for its own next transactions, by size: a bounded list for each
// multiple of eight bytes to 256.
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

  // A block of at least so many bytes, or null. *bytes becomes what a new block is to have, so that
  // it fits here later.
  void* take(size_t* bytes) {
    if (!on_ || *bytes == 0 || *bytes > kMostBytes) return nullptr;
    *bytes = (*bytes + kStep - 1) / kStep * kStep;
    List& list = lists_[*bytes / kStep - 1];
    return list.count == 0 ? nullptr : list.blocks[--list.count];
  }

  // False: it is not kept, because its size is not known or not cached, or there are enough.
  bool put(void* block, size_t bytes) {
    if (!on_ || bytes < kStep || bytes >= kMostBytes + kStep) return false;
    List& list = lists_[bytes / kStep - 1];  // a block between two sizes serves the smaller
    if (list.count == most_ || !ready(&list)) return false;
    list.blocks[list.count++] = block;
    return true;
  }

 private:
  static constexpr size_t kStep = 8;
  static constexpr size_t kMostBytes = 256;
  struct List {
    void** blocks = nullptr;
    unsigned count = 0;
  };

  bool ready(List* list) {
    if (list->blocks == nullptr) {
      list->blocks = static_cast<void**>(supply_.allocate(most_ * sizeof(void*)));
    }
    return list->blocks != nullptr;
  }

  const bool on_;
  const unsigned most_;
  const Supply& supply_;
  List lists_[kMostBytes / kStep];
};

}  // namespace mmt::stm
