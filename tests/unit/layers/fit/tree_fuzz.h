// Events are put to a tree policy and to its reference, which must agree at each event. They agree
// on the address that is given, every free chunk, and all that must hold of the trees. The contents
// that owners write stay.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/source/reserved_heap.h>

#include "unit/layers/fit/events.h"
#include "unit/layers/fit/tree_reference.h"

namespace mmt::layers::fit {

template <class Word, class Probe = NoProbe>
using TestArena = Arena<Word, ReservedHeap<size_t{1} << 30>, Probe>;

template <class Policy>
class TreeFuzz {
 public:
  TreeFuzz(Policy& policy, TreeReference reference)
      : policy_(policy), reference_(std::move(reference)) {}

  std::optional<Failure> run(const Events& events) {
    for (size_t i = 0; i < events.size(); ++i) {
      std::string wrong = events[i].is_free ? free(events[i].id) : allocate(events[i]);
      if (wrong.empty()) wrong = fault();
      if (!wrong.empty()) return Failure{i, wrong};
    }
    return std::nullopt;
  }

 private:
  struct Live {
    Address at;
    size_t asked;
  };

  std::string allocate(const Event& event) {
    const Address at = policy_.allocate(event.size);
    std::string wrong = reference_.allocate(event.size, at);
    if (!wrong.empty()) return wrong;
    if (at % policy_.shape().granule != 0) return "a block is not aligned";
    const size_t header = policy_.shape().header_bytes(sizeof(typename Policy::Word));
    const size_t usable = policy_.usable(at, event.size);
    if (usable < event.size || usable + header != reference_.chunk_bytes(at)) {
      return "a block has not the size that it should";
    }
    live_[event.id] = {at, event.size};
    std::memset(data(at), value(at), usable);
    return {};
  }
  std::string free(size_t id) {
    const auto found = live_.find(id);
    if (found == live_.end()) return {};
    const Live one = found->second;
    live_.erase(found);
    const size_t usable = policy_.usable(one.at, one.asked);
    for (size_t i = 0; i < usable; ++i) {
      if (data(one.at)[i] != value(one.at)) return "what an owner wrote has changed";
    }
    policy_.free(one.at, one.asked);
    reference_.free(one.at);
    return {};
  }

  std::string fault() const {
    if (const char* const broken = policy_.broken_invariant()) return broken;
    std::map<Address, size_t> free;
    bool is_twice = false;
    policy_.for_each_free(
        [&](FreeChunk one) { is_twice |= !free.emplace(one.at, one.bytes).second; });
    if (is_twice) return "a chunk is in two trees";
    if (free != reference_.free_chunks()) return "other chunks are free than should be";
    return conservation(free);
  }
  // Free and live chunks follow one another without a gap.
  std::string conservation(std::map<Address, size_t> chunks) const {
    const size_t header = policy_.shape().header_bytes(sizeof(typename Policy::Word));
    for (const auto& [id, one] : live_) {
      chunks[one.at - header] = policy_.chunk_bytes(one.at, one.asked);
    }
    Address end = policy_.arena().first();
    for (const auto& [at, bytes] : chunks) {
      if (at != end) return "chunks overlap, or bytes are lost";
      end = at + bytes;
    }
    return end == reference_.top() ? "" : "bytes are lost at the end";
  }

  unsigned char* data(Address at) const {
    return static_cast<unsigned char*>(policy_.arena().pointer_to(at));
  }
  static unsigned char value(Address at) { return static_cast<unsigned char>(at / 4 * 151 + 3); }

  Policy& policy_;
  TreeReference reference_;
  std::map<size_t, Live> live_;
};

// All that a tree may be told at run time, for one class of them.
inline std::vector<TreeOptions> all_options(bool is_segregated) {
  std::vector<TreeOptions> all;
  for (const Fit fit : {Fit::kFirst, Fit::kBetter, Fit::kBest, Fit::kNext, Fit::kWorst}) {
    for (const SplitEnd split : {SplitEnd::kHigh, SplitEnd::kLow}) {
      for (const bool coalesces : {false, true}) {
        for (const Classes classes : {Classes::kLocal, Classes::kProbe, Classes::kTags}) {
          for (const size_t trees : {size_t{8}, size_t{9}}) {
            if (classes != Classes::kLocal && !(coalesces && is_segregated)) continue;
            if (trees != 8 && !is_segregated) continue;
            all.push_back({fit, coalesces, split, classes, trees, false});
            if (fit != Fit::kBetter) continue;
            all.push_back({fit, coalesces, split, classes, trees, true});
          }
        }
      }
    }
  }
  return all;
}

inline std::string text_of(const TreeOptions& options) {
  constexpr std::array<const char*, 5> kFits = {"first", "better", "best", "next", "worst"};
  constexpr std::array<const char*, 3> kClasses = {"local", "probe", "tags"};
  return std::string(kFits[static_cast<size_t>(options.fit)]) +
         (options.remembers ? " (remembers)" : "") + (options.coalesces ? ", coalescing" : "") +
         (options.split == SplitEnd::kLow ? ", low end, " : ", high end, ") +
         kClasses[static_cast<size_t>(options.classes)] + ", " + std::to_string(options.trees);
}

}  // namespace mmt::layers::fit
