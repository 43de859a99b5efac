#pragma once
// Stephenson's fast fits (1983), the paper's Cartesian tree, keep free chunks in a tree by address.
// Parents are no smaller than their children, so that the root is the largest. A request that the
// root cannot serve fails at once. Nothing keeps the tree flat: chunks whose sizes grow or shrink
// with their addresses make a list of it. This is a fit policy (fit/policy.h).
#include <cstddef>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/chunks.h>
#include <mmt/layers/fit/fit.h>
#include <mmt/layers/fit/split.h>
#include <mmt/layers/fit/tree/cartesian_links.h>
#include <mmt/layers/fit/tree/tree.h>
#include <mmt/layers/fit/tree/walk.h>

namespace mmt::layers::fit {

struct CartesianOptions {
  Fit fit = Fit::kFirst;  // Stephenson's leftmost fit; or kBetter, or kWorst: the root
  bool coalesces = true;
  SplitEnd split = SplitEnd::kHigh;
};

template <class ArenaType>
class CartesianTree : public Chunks<ArenaType> {
  using Base = Chunks<ArenaType>;
  using Links = CartesianLinks<ArenaType>;
  using Link = typename Links::Link;
  using Base::arena_, Base::least_;

 public:
  static constexpr size_t kLeastChunk = Links::kBytes;
  static constexpr bool offers(Fit fit) {
    return fit == Fit::kFirst || fit == Fit::kBetter || fit == Fit::kWorst;
  }

  constexpr explicit CartesianTree(Shape shape, CartesianOptions options = {})
      : Base(shape, kLeastChunk), options_(options) {
    MMT_CHECK(offers(options.fit), "CartesianTree: it has no such fit");
  }

  Address allocate(size_t asked) {
    const size_t wanted = Base::bytes_for(asked);
    if (MMT_UNLIKELY(wanted == 0)) return kNone;
    if (root_ != kNone) {
      if (MMT_LIKELY(links().size(root_) >= wanted)) return take(search(wanted), wanted);
      arena_.probe().visited(1);
    }
    const size_t at_end = options_.coalesces ? bytes_at_end(wanted) : 0;
    const Stretch grown = Base::extend(wanted - at_end);
    if (grown.bytes == 0) return kNone;
    put({grown.start, grown.bytes});
    // Nothing else is so large: it is the root.
    return take({}, wanted);
  }
  void free(Address owner, size_t asked) {
    const Address chunk = Base::chunk_of(owner);
    put({chunk, Base::take_back(chunk, asked)});
  }

  // It is the root's. 0: nothing is free.
  size_t largest_free() const { return root_ == kNone ? 0 : links().size(root_); }

  template <class Visit>
  void for_each_free(Visit&& visit) const {
    walk_in_order(links(), root_, [&](Address node, size_t) {
      visit(FreeChunk{node, links().size(node)});
      return true;
    });
  }
  Address root() const { return root_; }
  // It is there to be looked at, not to be changed.
  Links links() const { return {const_cast<ArenaType&>(arena_), const_cast<Address&>(root_)}; }

  const char* broken_invariant() const {
    const char* broken = nullptr;
    size_t chunks = 0;
    size_t bytes = 0;
    Address end = kNone;
    walk_in_order(links(), root_, [&](Address node, size_t) {
      broken = fault_of(node, end);
      end = node + links().size(node);
      bytes += end - node;
      return broken == nullptr && ++chunks <= Base::free_chunks();
    });
    if (broken != nullptr) return broken;
    if (chunks != Base::free_chunks()) return "the count of free chunks is wrong";
    return bytes == Base::free_bytes() ? nullptr : "the count of free bytes is wrong";
  }

 private:
  // What a walk to a chunk's place comes by.
  struct Path {
    Link lower;  // of the nodes between which it lies
    Link higher;
    Link first_smaller;
    bool is_lower_deeper = false;
    Neighbours neighbours;
  };

  // The root suffices.
  Link search(size_t wanted) {
    const Links tree = links();
    Link link;
    for (Address node = root_;;) {
      arena_.probe().visited(1);
      const Address left = tree.left(node);
      const Address right = tree.right(node);
      const size_t low = left == kNone ? 0 : tree.size(left);
      size_t high = 0;
      if (options_.fit == Fit::kWorst) return link;
      if (options_.fit == Fit::kBetter) {
        if (tree.size(node) == wanted) return link;
        high = right == kNone ? 0 : tree.size(right);
      }
      if (low >= wanted && (high < wanted || low <= high)) {
        link = {node, Side::kLeft};
        node = left;
      } else if (high >= wanted) {
        link = {node, Side::kRight};
        node = right;
      } else {
        return link;
      }
    }
  }
  Address take(Link link, size_t wanted) {
    const Address chunk = links().at(link);
    const size_t whole = links().size(chunk);
    Base::count_taken(whole);
    if (whole - wanted < least_) {
      links().remove(link);
      return Base::hand_out(chunk, whole, wanted);
    }
    arena_.probe().split();
    const Cut cut = cut_chunk(options_.split, chunk, whole, wanted);
    links().reduce(link, {cut.rest, cut.rest_bytes});
    Base::count_free(cut.rest_bytes);
    return Base::hand_out(cut.taken, wanted, wanted);
  }

  void put(FreeChunk chunk) {
    const Path path = walk_to(chunk, options_.coalesces);
    const Neighbours& free = path.neighbours;
    if (!options_.coalesces || free.number() == 0) return insert(path.first_smaller, chunk);
    arena_.probe().coalesced(free.number());
    // The deeper one first, so that the other's link stays what it is.
    for (const bool is_lower : {path.is_lower_deeper, !path.is_lower_deeper}) {
      const FreeChunk& neighbour = is_lower ? free.before : free.behind;
      if (neighbour.bytes == 0) continue;
      links().remove(is_lower ? path.lower : path.higher);
      Base::count_taken(neighbour.bytes);
    }
    const FreeChunk whole = join(free, chunk);
    Link link;
    for (Address node = root_; node != kNone && links().size(node) >= whole.bytes;) {
      arena_.probe().rebalanced(1);
      link = {node, whole.at < node ? Side::kLeft : Side::kRight};
      node = links().at(link);
    }
    insert(link, whole);
  }
  void insert(Link link, FreeChunk chunk) {
    links().insert(link, chunk);
    Base::count_free(chunk.bytes);
  }
  // To the place that a leaf there would have, or only to the first smaller node.
  Path walk_to(FreeChunk chunk, bool is_whole) {
    const Links tree = links();
    Path path;
    Link link;
    bool is_known = false;
    Address lower = kNone;
    Address higher = kNone;
    for (Address node = root_; node != kNone; node = tree.at(link)) {
      if (!is_known && tree.size(node) < chunk.bytes) {
        is_known = true;
        path.first_smaller = link;
        if (!is_whole) return path;
      }
      arena_.probe().visited(1);
      if (chunk.at < node) {
        path.higher = link;
        higher = node;
        link = {node, Side::kLeft};
      } else {
        path.lower = link;
        lower = node;
        link = {node, Side::kRight};
      }
      path.is_lower_deeper = lower == node;
    }
    if (!is_known) path.first_smaller = link;
    find_neighbours(path, chunk, lower, higher);
    return path;
  }
  void find_neighbours(Path& path, FreeChunk chunk, Address lower, Address higher) const {
    const Links tree = links();
    const Address end = chunk.at + chunk.bytes;
    if (lower != kNone) {
      const size_t bytes = tree.size(lower);
      MMT_CHECK(lower + bytes <= chunk.at, kFreedTwice, chunk.at, chunk.bytes);
      if (lower + bytes == chunk.at) path.neighbours.before = {lower, bytes};
    }
    if (higher != kNone) {
      MMT_CHECK(end <= higher, kFreedTwice, chunk.at, chunk.bytes);
      if (end == higher) path.neighbours.behind = {higher, tree.size(higher)};
    }
  }
  size_t bytes_at_end(size_t wanted) {
    return walk_to({Base::top(), wanted}, true).neighbours.before.bytes;
  }

  const char* fault_of(Address node, Address end_before) const {
    const Links tree = links();
    if (node < end_before) return "free chunks overlap, or are not in order";
    if (options_.coalesces && node == end_before) return "two free neighbours are not one chunk";
    if (tree.size(node) < least_ || tree.size(node) % Base::shape().granule != 0) {
      return "a free chunk has a size that none can have";
    }
    if (node < arena_.first() || node + tree.size(node) > Base::top()) {
      return "a free chunk lies outside the arena";
    }
    for (const Side side : {Side::kLeft, Side::kRight}) {
      const Address child = tree.child(node, side);
      if (child != kNone && tree.size(child) > tree.size(node))
        return "a child is the larger chunk";
    }
    return nullptr;
  }

  CartesianOptions options_;
  Address root_ = kNone;
};

}  // namespace mmt::layers::fit
