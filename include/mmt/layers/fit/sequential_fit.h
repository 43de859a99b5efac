#pragma once
// Sequential fit keeps all free chunks in one doubly linked list, which a search walks (Knuth,
// 1968; Wilson, Johnstone, Neely, Boles: Dynamic Storage Allocation, 1995). A freed chunk goes to
// the front, or to its place by address. With coalescing it is joined at once with free neighbours,
// which its boundary tags find. This is a fit policy (fit/policy.h).
//   ListType   ChunkList, or one of its kind that finds a chunk without a walk, in the order of a
//              walk. Its find(arena, needed) gives the chunk, and how many nodes a walk would have
//              looked at.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/chunk_list.h>
#include <mmt/layers/fit/chunks.h>
#include <mmt/layers/fit/fit.h>
#include <mmt/layers/fit/list_check.h>
#include <mmt/layers/fit/split.h>

namespace mmt::layers::fit {

enum class ListOrder : uint8_t {
  kLifo,     // what was freed last is first: a free looks at one node
  kAddress,  // a free looks for its place, unless a neighbour is free, too
};

struct SequentialOptions {
  Fit fit = Fit::kFirst;  // not kBetter
  bool coalesces = false;
  ListOrder order = ListOrder::kLifo;
  SplitEnd split = SplitEnd::kHigh;
};

template <class ArenaType, class ListType = ChunkList<ArenaType>>
class SequentialFit : public Chunks<ArenaType> {
  using Base = Chunks<ArenaType>;
  using List = ListType;
  using Base::arena_, Base::tags_, Base::least_;

 public:
  static constexpr size_t kLeastChunk = List::kNode;
  static constexpr bool offers(Fit fit) { return fit != Fit::kBetter; }

  constexpr explicit SequentialFit(Shape shape, SequentialOptions options = {})
      : Base(shape, kLeastChunk), options_(options) {}

  Address allocate(size_t asked) {
    const size_t needed = Base::bytes_for(asked);
    if (MMT_UNLIKELY(needed == 0)) return kNone;
    Address chunk = search(needed);
    if (MMT_UNLIKELY(chunk == kNone)) {
      chunk = grow(needed);
      if (chunk == kNone) return kNone;
    }
    return take(chunk, needed);
  }

  void free(Address owners, size_t asked) {
    const Address chunk = Base::chunk_of(owners);
    const size_t bytes = Base::take_back(chunk, asked);
    if (options_.order == ListOrder::kLifo) arena_.probe().visited();
    give(chunk, bytes);
  }

  template <class Visit>
  void for_each_free(Visit&& visit) const {
    for (Address at = list_.first(); at != kNone; at = List::next(arena_, at)) {
      visit(FreeChunk{at, List::bytes(arena_, at)});
    }
  }

  const List& list() const { return list_; }

  const char* broken_invariant() const {
    ListCheck<ArenaType> check(*this, tags_, options_.coalesces);
    const char* const fault = check.list(list_.first(), [&](FreeChunk one, FreeChunk before) {
      const bool is_ordered = options_.order == ListOrder::kLifo || before.at < one.at;
      return is_ordered ? nullptr : "the list is not in order of address";
    });
    if (fault != nullptr) return fault;
    if (rover_ != kNone && !check.has_seen(rover_))
      return "the next search begins at no free chunk";
    return check.counts();
  }

 private:
  Address search(size_t needed) {
    if constexpr (requires { list_.find(arena_, needed); }) {
      const auto found = list_.find(arena_, needed);
      arena_.probe().visited(found.visits);
      return found.at;
    }
    switch (options_.fit) {
      case Fit::kBest:
        return search_best(needed);
      case Fit::kNext:
        return search_next(needed);
      case Fit::kWorst:
        return search_worst(needed);
      default:
        return first_of(list_.first(), kNone, needed);
    }
  }
  // Searches from one node up to another, without that.
  Address first_of(Address from, Address to, size_t needed) {
    for (Address at = from; at != to; at = List::next(arena_, at)) {
      arena_.probe().visited();
      if (List::bytes(arena_, at) >= needed) return at;
    }
    return kNone;
  }
  Address search_next(size_t needed) {
    const Address found = first_of(rover_, kNone, needed);
    return found != kNone ? found : first_of(list_.first(), rover_, needed);
  }
  // No chunk is better than one of that very size: there the search ends.
  Address search_best(size_t needed) {
    Address best = kNone;
    size_t least = SIZE_MAX;
    for (Address at = list_.first(); at != kNone; at = List::next(arena_, at)) {
      arena_.probe().visited();
      const size_t bytes = List::bytes(arena_, at);
      if (bytes < needed || bytes >= least) continue;
      best = at;
      least = bytes;
      if (bytes == needed) break;
    }
    return best;
  }
  Address search_worst(size_t needed) {
    Address worst = kNone;
    size_t most = needed - 1;
    for (Address at = list_.first(); at != kNone; at = List::next(arena_, at)) {
      arena_.probe().visited();
      const size_t bytes = List::bytes(arena_, at);
      if (bytes <= most) continue;
      worst = at;
      most = bytes;
    }
    return worst;
  }

  // What is needed of a chunk of the list; the rest stays at its place there.
  Address take(Address at, size_t needed) {
    const size_t bytes = List::bytes(arena_, at);
    Base::count_taken(bytes);
    if (bytes - needed < least_) {
      if (options_.fit == Fit::kNext) rover_ = List::next(arena_, at);
      list_.remove(arena_, at);
      if (options_.coalesces) tags_.unmark(at, bytes);
      return Base::hand_out(at, bytes, needed);
    }
    arena_.probe().split();
    const Cut cut = cut_chunk(options_.split, at, bytes, needed);
    if (cut.rest != at) list_.replace(arena_, at, cut.rest);
    list_.set_bytes(arena_, cut.rest, cut.rest_bytes);
    if (options_.coalesces) mark_rest(cut, at, bytes);
    Base::count_free(cut.rest_bytes);
    if (options_.fit == Fit::kNext) rover_ = cut.rest;
    return Base::hand_out(cut.taken, needed, needed);
  }
  void mark_rest(const Cut& cut, Address at, size_t bytes) {
    if (cut.rest == at) {
      tags_.unmark_end(at + bytes);
    } else {
      tags_.unmark_begin(at);
      tags_.mark_begin(cut.rest);
    }
    tags_.mark_end(arena_, cut.rest, cut.rest_bytes);
  }

  // A chunk of at least so many bytes from new memory, in the list.
  MMT_COLD Address grow(size_t needed) {
    const size_t last = options_.coalesces ? Base::free_at_top() : 0;
    const Stretch more = Base::extend(needed - last);
    if (more.bytes == 0) return kNone;
    newest_ = more.start;
    const Address chunk = give(more.start, more.bytes);
    newest_ = kNone;  // a chunk that is freed there later looks for its place
    return chunk;
  }

  // Puts a chunk into the list, as part of a larger one if it joins neighbours: of that the
  // address.
  Address give(Address at, size_t bytes) {
    if (!options_.coalesces) {
      insert(at, bytes);
      return at;
    }
    const size_t before = tags_.ends(at) ? tags_.bytes_before(arena_, at) : 0;
    const Address behind = at + bytes;
    const size_t after = tags_.begins(behind) ? List::bytes(arena_, behind) : 0;
    const Address start = at - before;
    const size_t joined = before + bytes + after;
    if (before != 0 || after != 0) {
      arena_.probe().coalesced((before != 0) + (after != 0));
      join(at, before, behind, after);
    }
    tags_.mark(arena_, start, joined);
    if (options_.order == ListOrder::kLifo || (before == 0 && after == 0)) {
      insert(start, joined);
    } else {
      if (options_.order == ListOrder::kAddress) arena_.probe().visited();
      list_.set_bytes(arena_, start, joined);
      Base::count_free(joined);
    }
    return start;
  }
  // Takes the neighbours' ends off, and their nodes, but for the one that stays in order of
  // address.
  void join(Address at, size_t before, Address behind, size_t after) {
    const bool is_ordered = options_.order == ListOrder::kAddress;
    if (before != 0) {
      Base::count_taken(before);
      tags_.unmark(at - before, before);
      if (rover_ == at - before && !is_ordered) rover_ = List::next(arena_, at - before);
      if (!is_ordered) list_.remove(arena_, at - before);
    }
    if (after == 0) return;
    Base::count_taken(after);
    tags_.unmark(behind, after);
    if (is_ordered && before == 0) {
      list_.replace(arena_, behind, at);
      if (rover_ == behind) rover_ = at;
      return;
    }
    if (rover_ == behind) rover_ = is_ordered ? at - before : List::next(arena_, behind);
    list_.remove(arena_, behind);
  }

  void insert(Address at, size_t bytes) {
    list_.set_bytes(arena_, at, bytes);
    if (options_.order == ListOrder::kLifo) {
      list_.push_front(arena_, at);
    } else {
      list_.insert_behind(arena_, place_of(at), at);
    }
    Base::count_free(bytes);
  }
  // The last node before an address; kNone: there is none.
  Address place_of(Address at) {
    Address before = kNone;
    // A search that found nothing came by the last node, so that new memory's place is known.
    const bool is_known = at == newest_;
    for (Address one = list_.first(); one != kNone; one = List::next(arena_, one)) {
      if (!is_known) arena_.probe().visited();
      if (one > at) break;
      before = one;
    }
    return before;
  }

  SequentialOptions options_;
  List list_;
  Address newest_ = kNone;  // what the arena just grew by, until it is in the list
  Address rover_ = kNone;   // where the next search of next fit begins; kNone: at the front
};

}  // namespace mmt::layers::fit
