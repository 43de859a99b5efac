// The reference has lists of free chunks as a textbook has them, with vectors in place of links. It
// finds neighbours by looking at all. Sequential and segregated fit must decide as the reference
// does.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include <mmt/layers/fit/fit.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/fit/split.h>

namespace mmt::layers::fit {

struct ReferenceRules {
  Fit fit = Fit::kFirst;
  bool joins = false;
  bool is_by_address = false;
  SplitEnd split = SplitEnd::kHigh;
  bool rest_stays = true;                  // at its place in the list; else it goes to the front
  std::function<size_t(size_t)> class_of;  // of a chunk's size; none: there is one list
};

class Reference {
 public:
  Reference(Shape shape, size_t word, size_t node, ReferenceRules rules)
      : shape_(shape),
        word_(word),
        least_(core::align_up(node, shape.granule)),
        rules_(std::move(rules)),
        top_(shape.first_chunk(word)) {}

  Address allocate(size_t asked) {
    const size_t needed = shape_.chunk_bytes(asked, least_, word_);
    Place place = search(needed);
    if (place.list == nullptr) {
      size_t last = 0;
      each([&](FreeChunk one) {
        if (rules_.joins && one.at + one.bytes == top_) last = one.bytes;
      });
      const Address start = top_;
      const Address end =
          core::align_up(std::max(end_, top_) + missing(needed - last), shape_.growth);
      end_ = end;
      top_ = start + core::align_down(end - start, shape_.granule);
      give({start, top_ - start});
      place = find([&](FreeChunk one) { return one.at + one.bytes == top_; });
    }
    return take(place, needed);
  }
  void free(Address at, size_t asked) {
    const Address chunk = at - shape_.header_bytes(word_);
    const size_t bytes = live_.at(chunk);
    live_.erase(chunk);
    static_cast<void>(asked);
    give({chunk, bytes});
  }

  std::vector<FreeChunk> all() const {
    std::vector<FreeChunk> out;
    for (const auto& [c, list] : lists_) out.insert(out.end(), list.begin(), list.end());
    return out;
  }

 private:
  using List = std::vector<FreeChunk>;
  struct Place {
    List* list = nullptr;
    size_t i = 0;
  };

  size_t missing(size_t bytes) const {
    const size_t rest = end_ > top_ ? end_ - top_ : 0;
    return bytes - rest;
  }
  size_t class_of(size_t bytes) const { return rules_.class_of ? rules_.class_of(bytes) : 0; }

  // Where the next search begins in the list that this chunk is in.
  Address& rover_of(FreeChunk one) {
    return rovers_.try_emplace(class_of(one.bytes), kNone).first->second;
  }

  template <class Visit>
  void each(Visit&& visit) {
    for (auto& [c, list] : lists_) std::for_each(list.begin(), list.end(), visit);
  }
  template <class Test>
  Place find(Test&& test) {
    for (auto& [c, list] : lists_) {
      const auto found = std::find_if(list.begin(), list.end(), test);
      if (found != list.end()) return {&list, static_cast<size_t>(found - list.begin())};
    }
    return {};
  }

  Place search(size_t needed) {
    if (rules_.fit == Fit::kWorst) {
      for (auto one = lists_.rbegin(); one != lists_.rend(); ++one) {
        if (!one->second.empty()) return search(one->second, needed);
      }
      return {};
    }
    for (auto& [c, list] : lists_) {
      if (c < class_of(needed)) continue;
      if (const Place place = search(list, needed); place.list != nullptr) return place;
    }
    return {};
  }
  Place search(List& list, size_t needed) {
    Place found;
    size_t from = 0;
    const Address rover = list.empty() ? kNone : rover_of(list.front());
    if (rules_.fit == Fit::kNext && rover != kNone) {
      while (list[from].at != rover) ++from;
    }
    for (size_t n = 0; n < list.size(); ++n) {
      const size_t i = (from + n) % list.size();
      if (list[i].bytes < needed) continue;
      const bool is_first = found.list == nullptr;
      const size_t best = is_first ? 0 : list[found.i].bytes;
      if (is_first || (rules_.fit == Fit::kBest && list[i].bytes < best) ||
          (rules_.fit == Fit::kWorst && list[i].bytes > best)) {
        found = {&list, i};
      }
    }
    return found;
  }

  Address take(Place place, size_t needed) {
    List& list = *place.list;
    const FreeChunk one = list[place.i];
    const bool is_whole = one.bytes - needed < least_;
    const Cut cut =
        is_whole ? Cut{one.at, kNone, 0} : cut_chunk(rules_.split, one.at, one.bytes, needed);
    const FreeChunk rest{cut.rest, cut.rest_bytes};
    if (!is_whole && rules_.rest_stays) {
      list[place.i] = rest;
      rover_of(one) = rest.at;
    } else {
      rover_of(one) = place.i + 1 < list.size() ? list[place.i + 1].at : kNone;
      list.erase(list.begin() + static_cast<ptrdiff_t>(place.i));
      if (!is_whole) push_front(rest);
    }
    live_[cut.taken] = is_whole ? one.bytes : needed;
    return cut.taken + shape_.header_bytes(word_);
  }

  void push_front(FreeChunk one) {
    List& list = lists_[class_of(one.bytes)];
    list.insert(list.begin(), one);
  }
  // Where the next search begins moves on when its chunk goes, and stays with it in order of
  // address.
  void give(FreeChunk chunk) {
    bool has_rover = false;
    if (rules_.joins) {
      for (;;) {
        const Place place = find([&](FreeChunk one) {
          return one.at + one.bytes == chunk.at || chunk.at + chunk.bytes == one.at;
        });
        if (place.list == nullptr) break;
        const FreeChunk other = (*place.list)[place.i];
        if (rover_of(other) == other.at) {
          has_rover = rules_.is_by_address;
          rover_of(other) =
              place.i + 1 < place.list->size() ? (*place.list)[place.i + 1].at : kNone;
        }
        place.list->erase(place.list->begin() + static_cast<ptrdiff_t>(place.i));
        chunk = {std::min(chunk.at, other.at), chunk.bytes + other.bytes};
      }
    }
    if (!rules_.is_by_address) return push_front(chunk);
    if (has_rover) rover_of(chunk) = chunk.at;
    List& list = lists_[class_of(chunk.bytes)];
    list.insert(
        std::find_if(list.begin(), list.end(), [&](FreeChunk one) { return one.at > chunk.at; }),
        chunk);
  }

  Shape shape_;
  size_t word_;
  size_t least_;
  ReferenceRules rules_;
  Address top_;
  Address end_ = 0;
  std::map<size_t, List> lists_;
  std::map<size_t, Address> rovers_;  // by class
  std::map<Address, size_t> live_;
};

}  // namespace mmt::layers::fit
