// The reference has what a tree policy has to decide, from the free chunks in a map. It applies
// every rule by looking at all of them. The chunk that better fit takes depends on the tree's
// shape. There the policy is believed, if the chunk is one of those that suffice in the right
// class.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <mmt/core/checked.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/fit/split.h>
#include <mmt/layers/fit/tree/options.h>

namespace mmt::layers::fit {

class TreeReference {
 public:
  // `is_segregated`: SBT, else one tree for all.
  TreeReference(Shape shape, TreeOptions options, bool is_segregated, size_t word, size_t node)
      : shape_(shape),
        options_(options),
        is_segregated_(is_segregated),
        word_(word),
        least_(core::align_up(node, shape.granule)),
        top_(shape.first_chunk(word)) {}

  // `got`: what the policy gave. What is wrong with it; empty: nothing.
  std::string allocate(size_t asked, Address got) {
    const size_t wanted = shape_.chunk_bytes(asked, least_, word_);
    FreeChunk found = choose(wanted, got);
    if (found.bytes == 0) found = grow(wanted);
    free_.erase(found.at);
    const bool is_whole = found.bytes - wanted < least_;
    const Cut cut = is_whole ? Cut{found.at, kNone, 0}
                             : cut_chunk(options_.split, found.at, found.bytes, wanted);
    if (!is_whole && class_of(cut.rest_bytes) == class_of(found.bytes)) {
      free_[cut.rest] = cut.rest_bytes;
    } else if (!is_whole) {
      put({cut.rest, cut.rest_bytes});
    }
    const Address owners = cut.taken + shape_.header_bytes(word_);
    live_[owners] = is_whole ? found.bytes : wanted;
    if (got == owners) return {};
    return "got " + std::to_string(got) + " instead of " + std::to_string(owners);
  }
  void free(Address owners) {
    const size_t bytes = live_.at(owners);
    live_.erase(owners);
    put({owners - shape_.header_bytes(word_), bytes});
  }

  const std::map<Address, size_t>& free_chunks() const { return free_; }
  size_t chunk_bytes(Address owners) const { return live_.at(owners); }
  Address top() const { return top_; }

 private:
  size_t class_of(size_t bytes) const {
    return is_segregated_ ? std::min(bytes / 64, options_.trees - 1) : 0;
  }

  FreeChunk choose(size_t wanted, Address got) {
    for (size_t k = class_of(wanted); k <= class_of(SIZE_MAX); ++k) {
      std::map<Address, size_t> fits;
      for (const auto& [at, bytes] : free_) {
        if (class_of(bytes) == k && bytes >= wanted) fits[at] = bytes;
      }
      if (!fits.empty()) return choose(fits, k, got);
    }
    return {kNone, 0};
  }
  FreeChunk choose(const std::map<Address, size_t>& fits, size_t k, Address got) {
    auto best = fits.begin();
    switch (options_.fit) {
      case Fit::kFirst:
        break;
      case Fit::kBetter:
        best = fits.upper_bound(got);
        best = best == fits.begin() ? fits.begin() : std::prev(best);
        break;
      case Fit::kBest:
        for (auto one = fits.begin(); one != fits.end(); ++one) {
          if (one->second < best->second) best = one;
        }
        break;
      case Fit::kNext:
        best = fits.upper_bound(last_found_[k]);
        if (best == fits.end()) best = fits.begin();
        last_found_[k] = best->first;
        break;
      case Fit::kWorst:
        for (auto one = fits.begin(); one != fits.end(); ++one) {
          if (one->second > best->second) best = one;
        }
        break;
    }
    return {best->first, best->second};
  }

  FreeChunk grow(size_t wanted) {
    size_t missing = wanted;
    const auto last = free_.empty() ? free_.end() : std::prev(free_.end());
    const bool has_last = last != free_.end() && last->first + last->second == top_;
    const bool joins_last = options_.coalesces && !is_local();
    if (has_last && joins_last) missing -= last->second;
    const Address start = top_;
    const size_t unused = end_ > top_ ? end_ - top_ : 0;
    end_ = core::align_up(std::max(end_, top_) + missing - unused, shape_.growth);
    top_ = start + core::align_down(end_ - start, shape_.granule);
    return put({start, top_ - start});
  }

  bool is_local() const { return is_segregated_ && options_.classes == Classes::kLocal; }

  FreeChunk put(FreeChunk chunk) {
    while (options_.coalesces) {
      const size_t k = class_of(chunk.bytes);
      const FreeChunk before = chunk;
      for (auto one = free_.begin(); one != free_.end();) {
        const bool is_before = one->first + one->second == before.at;
        const bool is_behind = before.at + before.bytes == one->first;
        if ((!is_before && !is_behind) || (is_local() && class_of(one->second) != k)) {
          ++one;
          continue;
        }
        chunk = {std::min(chunk.at, one->first), chunk.bytes + one->second};
        one = free_.erase(one);
      }
      if (!is_local() || class_of(chunk.bytes) == k) break;
    }
    free_[chunk.at] = chunk.bytes;
    return chunk;
  }

  Shape shape_;
  TreeOptions options_;
  bool is_segregated_;
  size_t word_;
  size_t least_;
  Address top_;
  Address end_ = 0;
  std::map<Address, size_t> free_;
  std::map<Address, size_t> live_;
  std::map<size_t, Address> last_found_;
};

}  // namespace mmt::layers::fit
