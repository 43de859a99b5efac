#pragma once
// This is the base of AddressTree and SegregatedTree: one tree for all sizes, or one a class of
// them. A request looks in the tree of its class, then in those of larger ones; when none has a
// chunk, the arena grows. What is left of a chunk stays in its place in the tree when that is still
// its class. So not even its address changes if the owner's part is cut from the high end.
//
// First fit without coalescing keeps what was freed last beside the trees (tree/recent.h), unless a
// probe counts the nodes that it would have looked at.
//
// Coalescing joins a chunk with its free neighbours, as far as `classes` lets it find them
// (tree/options.h). The chunk is what is freed, what the arena grew by or what is left over in
// another class.
#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/chunks.h>
#include <mmt/layers/fit/split.h>
#include <mmt/layers/fit/tree/check_tree.h>
#include <mmt/layers/fit/tree/options.h>
#include <mmt/layers/fit/tree/recent.h>
#include <mmt/layers/fit/tree/tree.h>
#include <mmt/layers/fit/tree/walk.h>

namespace mmt::layers::fit {

template <class ArenaType, class Layout, class Balance, size_t kMostTrees>
class Trees : public Chunks<ArenaType> {
  using Base = Chunks<ArenaType>;
  using TreeType = Tree<ArenaType, Layout, Balance>;
  using CursorType = typename TreeType::CursorType;
  using NodesType = typename TreeType::NodesType;
  using Base::arena_, Base::tags_, Base::least_;

 public:
  using Word = typename ArenaType::Word;
  using BalanceOptions = typename Balance::Options;
  static constexpr size_t kLeastChunk = NodesType::kBytes;
  static constexpr size_t kClassBytes = 64;

  constexpr Trees(Shape shape, TreeOptions options, BalanceOptions balance)
      : Base(shape, kLeastChunk),
        options_(options),
        last_class_(kMostTrees == 1 ? 0 : options.trees - 1),
        trees_(make_trees(balance, std::make_index_sequence<kMostTrees>())) {
    MMT_CHECK(last_class_ < kMostTrees, "Trees: more trees than there can be");
  }

  Address allocate(size_t asked) {
    const size_t wanted = Base::bytes_for(asked);
    if (MMT_UNLIKELY(wanted == 0)) return kNone;
    for (size_t k = class_of(wanted); k <= last_class_; ++k) {
      if (keeps_recent() && recent_[k].count() != 0) {
        const Address owners = take_recent(k, wanted);
        if (owners != kNone) return owners;
      }
      if (keeps_recent()) plant_waiting(k);
      if (trees_[k].is_empty()) continue;
      CursorType cursor = trees_[k].find(arena_, wanted, options_.fit, options_.remembers);
      if (MMT_LIKELY(cursor.at() != kNone)) return take(k, cursor, wanted);
    }
    return grow_and_take(wanted);
  }
  void free(Address owner, size_t asked) {
    const Address chunk = Base::chunk_of(owner);
    const FreeChunk freed{chunk, Base::take_back(chunk, asked)};
    if (keeps_recent()) return put_recent(freed);
    put(freed);
  }

  template <class Visit>
  void for_each_free(Visit visit) const {
    for (const TreeType& tree : trees_) {
      const NodesType nodes = this->nodes();
      walk_in_order(nodes, tree.root(), [&](Address node, size_t) {
        visit(FreeChunk{node, nodes.size(node)});
        return true;
      });
    }
    for (const RecentChunks& recent : recent_) {
      for (size_t i = 0; i < recent.count(); ++i) visit(recent[i]);
    }
    for (const Address first : waiting_) {
      for (Address at = first; at != kNone; at = arena_.load(at)) visit(waiting(at));
    }
  }
  // The nodes that a search may go through, for a caller that looks at the trees.
  size_t trees() const { return last_class_ + 1; }
  const TreeType& tree(size_t k) const { return trees_[k]; }
  NodesType nodes() const { return NodesType(const_cast<ArenaType&>(Base::arena())); }

  const char* broken_invariant() const {
    size_t chunks = 0;
    size_t bytes = 0;
    const char* broken = nullptr;
    for (size_t k = 0; k < kMostTrees && broken == nullptr; ++k) {
      broken = check_tree(nodes(), trees_[k]);
      if (broken != nullptr) return broken;
      chunks += trees_[k].count();
      walk_in_order(nodes(), trees_[k].root(), [&](Address node, size_t) {
        bytes += nodes().size(node);
        broken = fault_of(k, {node, nodes().size(node)});
        return broken == nullptr;
      });
    }
    if (broken != nullptr) return broken;
    for (size_t k = 0; k < kMostTrees; ++k) {
      chunks += recent_[k].count();
      for (size_t i = 0; i < recent_[k].count(); ++i) {
        const FreeChunk one = recent_[k][i];
        bytes += one.bytes;
        if (class_of(one.bytes) != k) return "a chunk waits for another class's tree";
        if (i != 0 && recent_[k][i - 1].at < one.at) return "waiting chunks are out of order";
      }
      for (Address at = waiting_[k]; at != kNone; at = arena_.load(at)) {
        ++chunks;
        bytes += waiting(at).bytes;
        if (class_of(waiting(at).bytes) != k) return "a chunk waits for another class's tree";
      }
    }
    if (chunks != Base::free_chunks()) return "the count of free chunks is wrong";
    return bytes == Base::free_bytes() ? nullptr : "the count of free bytes is wrong";
  }

 private:
  template <size_t... k>
  static constexpr std::array<TreeType, kMostTrees> make_trees(BalanceOptions balance,
                                                               std::index_sequence<k...>) {
    return {((void)k, TreeType(balance))...};
  }

  MMT_ALWAYS_INLINE size_t class_of(size_t bytes) const {
    if constexpr (kMostTrees == 1) return 0;
    const size_t k = bytes / kClassBytes;
    return k < last_class_ ? k : last_class_;
  }
  bool has_tags() const {
    return kMostTrees > 1 && options_.coalesces && options_.classes == Classes::kTags;
  }

  // --- what was freed last ---
  // Nobody is told of the nodes that it saves a search.
  static constexpr bool kMayKeep = std::is_same_v<typename ArenaType::ProbeType, NoProbe>;
  MMT_ALWAYS_INLINE bool keeps_recent() const {
    return kMayKeep && options_.fit == Fit::kFirst && !options_.coalesces;
  }
  MMT_ALWAYS_INLINE void put_recent(FreeChunk chunk) {
    const size_t k = class_of(chunk.bytes);
    Base::count_free(chunk.bytes);
    if (MMT_UNLIKELY(recent_[k].is_full())) {
      // It is the last that first fit would take.
      FreeChunk highest = recent_[k].take_highest();
      if (highest.at < chunk.at) std::swap(highest, chunk);
      let_wait(k, highest);
    }
    recent_[k].insert(chunk);
  }
  // kNone: nothing there serves, or what does is not the lowest of its class.
  MMT_ALWAYS_INLINE Address take_recent(size_t k, size_t wanted) {
    const size_t i = recent_[k].find(wanted);
    if (i == recent_[k].count()) return kNone;
    const FreeChunk chunk = recent_[k][i];
    if (!is_lowest(k, chunk.at, wanted)) return kNone;
    Base::count_taken(chunk.bytes);
    if (chunk.bytes - wanted < least_) {
      recent_[k].remove(i);
      return Base::hand_out(chunk.at, chunk.bytes, wanted);
    }
    const Cut cut = cut_chunk(options_.split, chunk.at, chunk.bytes, wanted);
    recent_[k].remove(i);
    put_recent({cut.rest, cut.rest_bytes});
    return Base::hand_out(cut.taken, wanted, wanted);
  }
  // A chunk that has no room there waits in a list until a search comes to its tree. So a program
  // that only frees, as at its end, grows no tree.
  void let_wait(size_t k, FreeChunk chunk) {
    lowest_[k] = std::min(lowest_[k], chunk.at);
    arena_.store(chunk.at, static_cast<Word>(waiting_[k]));
    arena_.store(chunk.at + sizeof(Word), static_cast<Word>(chunk.bytes));
    waiting_[k] = chunk.at;
  }
  MMT_ALWAYS_INLINE void plant_waiting(size_t k) {
    while (waiting_[k] != kNone) {
      const FreeChunk chunk = waiting(waiting_[k]);
      waiting_[k] = arena_.load(chunk.at);
      trees_[k].insert(arena_, chunk);
    }
  }
  FreeChunk waiting(Address at) const { return {at, arena_.load(at + sizeof(Word))}; }
  // Whether the tree has no chunk of so many bytes before this one.
  MMT_ALWAYS_INLINE bool is_lowest(size_t k, Address at, size_t wanted) {
    if (MMT_LIKELY(at < lowest_[k])) return true;
    plant_waiting(k);
    if (trees_[k].is_empty()) return true;
    Address lowest = trees_[k].root();
    while (nodes().left(lowest) != kNone) lowest = nodes().left(lowest);
    lowest_[k] = lowest;
    if (at < lowest) return true;
    const CursorType cursor = trees_[k].find(arena_, wanted, Fit::kFirst, false);
    return cursor.at() == kNone || at < cursor.at();
  }

  // --- one chunk in or out of its tree ---

  // Marks tell of a neighbour without a walk. What looks for it in trees has been at its place.
  Way way_to_neighbour() const { return has_tags() ? Way::kNew : Way::kKnown; }
  void insert(size_t k, FreeChunk chunk) {
    if (has_tags()) mark(chunk);
    lowest_[k] = std::min(lowest_[k], chunk.at);
    trees_[k].insert(arena_, chunk);
    Base::count_free(chunk.bytes);
  }
  void erase(size_t k, CursorType& cursor) {
    const FreeChunk chunk{cursor.at(), nodes().size(cursor.at())};
    trees_[k].remove(cursor);
    if (has_tags()) tags_.unmark(chunk.at, chunk.bytes);
    Base::count_taken(chunk.bytes);
  }
  void erase(FreeChunk chunk) {
    if (chunk.bytes == 0) return;
    const size_t k = class_of(chunk.bytes);
    CursorType cursor = trees_[k].at(arena_, chunk.at, way_to_neighbour());
    erase(k, cursor);
  }
  void change(size_t k, CursorType& cursor, FreeChunk chunk) {
    const FreeChunk before{cursor.at(), nodes().size(cursor.at())};
    if (has_tags()) tags_.unmark(before.at, before.bytes);
    trees_[k].change(cursor, chunk);
    if (has_tags()) mark(chunk);
    Base::count_taken(before.bytes);
    Base::count_free(chunk.bytes);
  }
  // The least chunk is all node; it needs no size at its end, since it has no other size.
  void mark(FreeChunk chunk) {
    if (chunk.bytes == least_) {
      tags_.mark_begin(chunk.at);
      tags_.mark_end_bit(chunk.at + chunk.bytes);
    } else {
      tags_.mark(arena_, chunk.at, chunk.bytes);
    }
  }

  // --- allocation ---
  MMT_ALWAYS_INLINE Address take(size_t k, CursorType& cursor, size_t wanted) {
    const Address chunk = cursor.at();
    const size_t whole = nodes().size(chunk);
    if (whole - wanted < least_) {
      erase(k, cursor);
      return Base::hand_out(chunk, whole, wanted);
    }
    arena_.probe().split();
    const Cut cut = cut_chunk(options_.split, chunk, whole, wanted);
    const FreeChunk rest{cut.rest, cut.rest_bytes};
    if (class_of(rest.bytes) == k) {
      change(k, cursor, rest);
    } else {
      erase(k, cursor);
      put(rest);
    }
    return Base::hand_out(cut.taken, wanted, wanted);
  }
  MMT_COLD Address grow_and_take(size_t wanted) {
    const Stretch grown = Base::extend(wanted - bytes_at_end(wanted));
    if (grown.bytes == 0) return kNone;
    const FreeChunk whole = put({grown.start, grown.bytes});
    const size_t k = class_of(whole.bytes);
    CursorType cursor = trees_[k].at(arena_, whole.at, Way::kKnown);
    return take(k, cursor, wanted);
  }
  // The result is the size of the free chunk at the end of the arena. The arena's growth will join
  // that chunk. All free chunks are smaller than `wanted`.
  size_t bytes_at_end(size_t wanted) {
    if (!options_.coalesces || arena_.end() == kNone) return 0;
    if (has_tags()) return tagged_before(Base::top()).bytes;
    if constexpr (kMostTrees > 1) {
      if (options_.classes == Classes::kLocal) return 0;  // its class is not known before it grows
    }
    // put() walks there again, and its visits count.
    return neighbours({Base::top(), wanted}, Way::kKnown).before.bytes;
  }

  // --- what is free from now on, with all that joins it; which chunk that is ---
  FreeChunk put(FreeChunk chunk) {
    if (!options_.coalesces) {
      insert(class_of(chunk.bytes), chunk);
      return chunk;
    }
    if (kMostTrees == 1 || options_.classes == Classes::kLocal) return put_local(chunk);
    const Neighbours free = neighbours(chunk, Way::kNew);
    const FreeChunk whole = join(free, chunk);
    const size_t k = class_of(whole.bytes);
    if (free.number() != 0) arena_.probe().coalesced(free.number());
    if (free.before.bytes != 0 && class_of(free.before.bytes) == k) {
      erase(free.behind);
      grow_node(k, free.before.at, whole);
    } else if (free.behind.bytes != 0 && class_of(free.behind.bytes) == k) {
      erase(free.before);
      grow_node(k, free.behind.at, whole);
    } else {
      erase(free.before);
      erase(free.behind);
      insert(k, whole);
    }
    return whole;
  }
  void grow_node(size_t k, Address node, FreeChunk whole) {
    CursorType cursor = trees_[k].at(arena_, node, way_to_neighbour());
    change(k, cursor, whole);
  }
  FreeChunk put_local(FreeChunk chunk) {
    size_t joined = 0;
    for (;;) {
      const size_t k = class_of(chunk.bytes);
      const Joined done = trees_[k].insert_joined(arena_, chunk);
      joined += done.neighbours;
      for (size_t i = 0; i < done.neighbours; ++i) Base::count_taken(0);  // their bytes stay free
      Base::count_free(chunk.bytes);
      chunk = done.whole;
      if (MMT_LIKELY(class_of(chunk.bytes) == k)) break;
      CursorType cursor = trees_[k].at(arena_, chunk.at, Way::kKnown);
      erase(k, cursor);
    }
    if (joined != 0) arena_.probe().coalesced(joined);
    return chunk;
  }
  Neighbours neighbours(FreeChunk chunk, Way way) {
    if (has_tags()) return tagged_neighbours(chunk);
    Neighbours found;
    for (size_t k = 0; k <= last_class_ && found.number() != 2; ++k) {
      const Neighbours here = trees_[k].neighbours(arena_, chunk, way);
      if (here.before.bytes != 0) found.before = here.before;
      if (here.behind.bytes != 0) found.behind = here.behind;
    }
    return found;
  }
  Neighbours tagged_neighbours(FreeChunk chunk) {
    Neighbours found;
    found.before = tagged_before(chunk.at);
    const Address end = chunk.at + chunk.bytes;
    if (tags_.begins(end)) found.behind = {end, nodes().size(end)};
    return found;
  }

  FreeChunk tagged_before(Address at) const {
    if (!tags_.ends(at)) return {kNone, 0};
    const bool is_least = at >= arena_.first() + least_ && tags_.begins(at - least_);
    const size_t bytes = is_least ? least_ : tags_.bytes_before(arena_, at);
    return {at - bytes, bytes};
  }

  // What is wrong with a free chunk besides its tree.
  const char* fault_of(size_t k, FreeChunk chunk) const {
    if (class_of(chunk.bytes) != k) return "a chunk is in another class's tree";
    if (chunk.bytes < least_ || chunk.bytes % Base::shape().granule != 0) {
      return "a free chunk has a size that none can have";
    }
    if (chunk.at < arena_.first() || chunk.at + chunk.bytes > Base::top()) {
      return "a free chunk lies outside the arena";
    }
    if (has_tags() && !(tags_.begins(chunk.at) && tags_.ends(chunk.at + chunk.bytes))) {
      return "a free chunk has no marks";
    }
    if (!options_.coalesces) return nullptr;
    const bool is_local = options_.classes == Classes::kLocal && kMostTrees > 1;
    for (size_t j = is_local ? k : 0; j <= (is_local ? k : last_class_); ++j) {
      const Address next = next_node(nodes(), trees_[j].root(), chunk.at);
      if (next == chunk.at + chunk.bytes) return "two free neighbours are not one chunk";
    }
    return nullptr;
  }

  TreeOptions options_;
  size_t last_class_;
  std::array<TreeType, kMostTrees> trees_;
  std::array<RecentChunks, kMostTrees> recent_{};
  std::array<Address, kMostTrees> waiting_{};  // the first of a list; kNone: there is none
  // No chunk of a tree, or of those that wait for it, lies before.
  std::array<Address, kMostTrees> lowest_{};
};

}  // namespace mmt::layers::fit
