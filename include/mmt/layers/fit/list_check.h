#pragma once
// Checks free chunks in lists: links both ways, sizes, marks where chunks are joined, no overlap,
// no two free neighbours, and the counts. The check is for tests and the simulator: it allocates,
// and takes time that grows as n log n.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <mmt/layers/fit/chunk_list.h>
#include <mmt/layers/fit/free_tags.h>
#include <mmt/layers/fit/policy.h>

namespace mmt::layers::fit {

template <class ArenaType>
class ListCheck {
  using List = ChunkList<ArenaType>;

 public:
  // `joins`: no two free chunks may be neighbours.
  template <class Policy>
  ListCheck(const Policy& policy, const FreeTags<ArenaType>& tags, bool joins)
      : arena_(policy.arena()),
        tags_(tags),
        shape_(policy.shape()),
        joins_(joins),
        free_chunks_(policy.free_chunks()),
        free_bytes_(policy.free_bytes()) {}

  // The chunks of a list. `judge(chunk, the one before)`: the name of what is wrong with it, else
  // null; before the first there is {kNone, 0}. Null: all is well.
  template <class Judge>
  const char* list(Address first, Judge&& judge) {
    FreeChunk before{kNone, 0};
    for (Address at = first; at != kNone; at = List::next(arena_, at)) {
      if (seen_.size() == free_chunks_) return "lists hold more chunks than are counted";
      const FreeChunk one{at, List::bytes(arena_, at)};
      if (const char* const fault = chunk(one)) return fault;
      if (List::previous(arena_, at) != before.at) return "a link back is wrong";
      if (const char* const fault = judge(one, before)) return fault;
      seen_.push_back(one);
      before = one;
    }
    return nullptr;
  }
  bool has_seen(Address at) const {
    return std::any_of(seen_.begin(), seen_.end(), [&](FreeChunk one) { return one.at == at; });
  }

  // It is called once all lists are known.
  const char* counts() {
    std::sort(seen_.begin(), seen_.end(), [](auto a, auto b) { return a.at < b.at; });
    size_t bytes = 0;
    for (size_t i = 0; i < seen_.size(); ++i) {
      bytes += seen_[i].bytes;
      if (i == 0) continue;
      const Address end = seen_[i - 1].at + seen_[i - 1].bytes;
      if (end > seen_[i].at) return "two free chunks overlap";
      if (joins_ && end == seen_[i].at) return "two free neighbours are not joined";
    }
    if (seen_.size() != free_chunks_) return "free chunks are counted wrong";
    return bytes == free_bytes_ ? nullptr : "free bytes are counted wrong";
  }

 private:
  const char* chunk(FreeChunk one) const {
    const Address first = arena_.first();
    if (one.at < first || one.bytes == 0 || one.at + one.bytes > arena_.end()) {
      return "a free chunk lies outside of the arena";
    }
    if ((one.at - first) % shape_.granule != 0 || one.bytes % shape_.granule != 0) {
      return "a free chunk is no whole granules";
    }
    if (!joins_) return nullptr;
    if (!tags_.begins(one.at) || !tags_.ends(one.at + one.bytes))
      return "a free chunk has no marks";
    const bool is_told = tags_.bytes_before(arena_, one.at + one.bytes) == one.bytes;
    return is_told ? nullptr : "a free chunk's last word is not its size";
  }

  const ArenaType& arena_;
  const FreeTags<ArenaType>& tags_;
  Shape shape_;
  bool joins_;
  size_t free_chunks_;
  size_t free_bytes_;
  std::vector<FreeChunk> seen_;
};

}  // namespace mmt::layers::fit
