#pragma once
// The links of a Cartesian tree: a search tree by address that is a heap by size (Vuillemin, 1980;
// Stephenson's fast fits, 1983). A node is a chunk's size and two children. A change goes from the
// top down along links, without a way back: no parent, no maxima.
#include <cstddef>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/fit/tree/node.h>

namespace mmt::layers::fit {

template <class ArenaType>
class CartesianLinks {
 public:
  using Word = typename ArenaType::Word;
  static constexpr size_t kBytes = 3 * sizeof(Word);

  // Where a node hangs: below a parent, or as the root.
  struct Link {
    Address parent = kNone;
    Side side = Side::kLeft;
  };

  // `root` is the tree's, `arena` where its nodes lie.
  CartesianLinks(ArenaType& arena, Address& root) : arena_(&arena), root_(&root) {}

  size_t size(Address node) const { return arena_->load(node); }
  Address left(Address node) const { return arena_->load(node + sizeof(Word)); }
  Address right(Address node) const { return arena_->load(node + 2 * sizeof(Word)); }
  Address child(Address node, Side side) const {
    return side == Side::kLeft ? left(node) : right(node);
  }

  Address at(Link link) const {
    return link.parent == kNone ? *root_ : child(link.parent, link.side);
  }
  void set(Link link, Address node) const {
    if (link.parent == kNone) {
      *root_ = node;
    } else {
      const size_t field = link.side == Side::kLeft ? 1 : 2;
      arena_->store(link.parent + field * sizeof(Word), static_cast<Word>(node));
    }
  }

  // Puts a chunk where the first smaller one is, or none; that one's subtree becomes its
  // children's, in two by the order of addresses.
  void insert(Link link, FreeChunk chunk) const {
    Address rest = at(link);
    arena_->store(chunk.at, static_cast<Word>(chunk.bytes));
    set(link, chunk.at);
    Link lower{chunk.at, Side::kLeft};
    Link higher{chunk.at, Side::kRight};
    while (rest != kNone) {
      arena_->probe().rebalanced(1);
      if (rest < chunk.at) {
        set(lower, rest);
        lower = {rest, Side::kRight};
        rest = right(rest);
      } else {
        set(higher, rest);
        higher = {rest, Side::kLeft};
        rest = left(rest);
      }
    }
    set(lower, kNone);
    set(higher, kNone);
  }
  // Takes the link's node out; its children's subtrees become one, the larger chunk first.
  void remove(Link link) const {
    const Address node = at(link);
    Address lower = left(node);
    Address higher = right(node);
    set(sink(link, lower, higher, 0), kNone);
  }
  // The link's node becomes a smaller chunk of the same order, below all that are larger.
  void reduce(Link link, FreeChunk chunk) const {
    const Address node = at(link);
    Address lower = left(node);
    Address higher = right(node);
    link = sink(link, lower, higher, chunk.bytes);
    arena_->store(chunk.at, static_cast<Word>(chunk.bytes));
    set(link, chunk.at);
    set({chunk.at, Side::kLeft}, lower);
    set({chunk.at, Side::kRight}, higher);
  }

 private:
  size_t size_or_none(Address node) const { return node == kNone ? 0 : size(node); }

  // The function hangs the larger root of two subtrees on the link, and goes on below it, while one
  // is larger than `bytes`. The result is the link where something so large has its place. `lower`
  // and `higher` become what is left of both.
  Link sink(Link link, Address& lower, Address& higher, size_t bytes) const {
    for (;;) {
      const size_t low = size_or_none(lower);
      const size_t high = size_or_none(higher);
      if (low <= bytes && high <= bytes) return link;
      arena_->probe().rebalanced(1);
      if (low >= high) {
        set(link, lower);
        link = {lower, Side::kRight};
        lower = right(lower);
      } else {
        set(link, higher);
        link = {higher, Side::kLeft};
        higher = left(higher);
      }
    }
  }
  ArenaType* arena_;
  Address* root_;
};

}  // namespace mmt::layers::fit
