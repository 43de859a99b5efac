#include "sim/bounds/gap_tree.h"

#include <algorithm>

namespace mmt::sim {
namespace {

constexpr uint64_t kEnd = uint64_t{1} << 62;  // of the space; no trace gets so far

}  // namespace

GapTree::GapTree(uint64_t start) : highest_(start) {
  gaps_.push_back({});  // none
  root_ = make(start, kEnd - start);
}

GapTree::Index GapTree::make(uint64_t at, uint64_t bytes) {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  const Gap gap{at, bytes, bytes, static_cast<uint32_t>(random_ >> 32), 0, 0};
  if (unused_.empty()) {
    gaps_.push_back(gap);
    return static_cast<Index>(gaps_.size() - 1);
  }
  const Index index = unused_.back();
  unused_.pop_back();
  gaps_[index] = gap;
  return index;
}

void GapTree::update(Index index) {
  Gap& gap = gaps_[index];
  gap.most = std::max({gap.bytes, gaps_[gap.left].most, gaps_[gap.right].most});
}

void GapTree::split(Index tree, uint64_t at, Index* below, Index* rest) {
  if (tree == 0) {
    *below = *rest = 0;
    return;
  }
  Gap& gap = gaps_[tree];
  if (gap.at < at) {
    split(gap.right, at, &gap.right, rest);
    *below = tree;
  } else {
    split(gap.left, at, below, &gap.left);
    *rest = tree;
  }
  update(tree);
}

GapTree::Index GapTree::join(Index below, Index above) {
  if (below == 0) return above;
  if (above == 0) return below;
  if (gaps_[below].rank > gaps_[above].rank) {
    gaps_[below].right = join(gaps_[below].right, above);
    update(below);
    return below;
  }
  gaps_[above].left = join(below, gaps_[above].left);
  update(above);
  return above;
}

GapTree::Index GapTree::last_of(Index tree) const {
  while (tree != 0 && gaps_[tree].right != 0) tree = gaps_[tree].right;
  return tree;
}

GapTree::Index GapTree::first_of(Index tree) const {
  while (tree != 0 && gaps_[tree].left != 0) tree = gaps_[tree].left;
  return tree;
}

uint64_t GapTree::take(uint64_t bytes) {
  Index at = root_;
  while (true) {
    const Gap& gap = gaps_[at];
    if (gaps_[gap.left].most >= bytes) {
      at = gap.left;
    } else if (gap.bytes >= bytes) {
      break;
    } else {
      at = gap.right;
    }
  }
  const uint64_t place = gaps_[at].at;
  const uint64_t size = gaps_[at].bytes;
  Index below = 0;
  Index rest = 0;
  Index found = 0;
  split(root_, place, &below, &rest);
  split(rest, place + 1, &found, &rest);
  if (size == bytes) {
    drop(found);
    root_ = join(below, rest);
  } else {
    gaps_[found].at += bytes;
    gaps_[found].bytes -= bytes;
    update(found);
    root_ = join(join(below, found), rest);
  }
  highest_ = std::max(highest_, place + bytes);
  return place;
}

void GapTree::give(uint64_t at, uint64_t bytes) {
  Index below = 0;
  Index above = 0;
  split(root_, at, &below, &above);
  if (const Index before = last_of(below); before != 0 && end_of(before) == at) {
    at = gaps_[before].at;
    bytes += gaps_[before].bytes;
    Index taken = 0;
    split(below, at, &below, &taken);
    drop(before);
  }
  if (const Index behind = first_of(above); behind != 0 && gaps_[behind].at == at + bytes) {
    bytes += gaps_[behind].bytes;
    Index taken = 0;
    split(above, gaps_[behind].at + 1, &taken, &above);
    drop(behind);
  }
  root_ = join(join(below, make(at, bytes)), above);
}

}  // namespace mmt::sim
