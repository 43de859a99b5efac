#include "sim/bounds/bounds.h"

#include <algorithm>
#include <functional>
#include <span>

#include "sim/bounds/gap_tree.h"
#include "sim/bounds/lifetimes.h"

namespace mmt::sim {
namespace {

// First fit over all pairs takes time that grows with the square.
constexpr size_t kMostForPairs = 20000;

using Block = uint32_t;

// The blocks that live where most is live, by number.
std::vector<Block> anchored_in(const Lifetimes& all) {
  std::vector<bool> is_live(all.blocks.size());
  const std::span<const Lifetimes::Step> steps(all.steps);
  for (const Lifetimes::Step& step : steps.first(all.steps_at_peak)) {
    is_live[step.block] = step.is_birth != 0;
  }
  std::vector<Block> out;
  for (Block block = 0; block < is_live.size(); ++block) {
    if (is_live[block]) out.push_back(block);
  }
  return out;
}

// One direction in time; returns how high it gets.
template <class Steps>
uint64_t pack(std::vector<Packed>& blocks, uint64_t anchored_bytes, const Steps& steps,
              bool is_forwards) {
  GapTree gaps(anchored_bytes);
  for (const Lifetimes::Step& step : steps) {
    Packed& block = blocks[step.block];
    if ((step.is_birth != 0) == is_forwards) {
      block.at = gaps.take(block.bytes);
    } else {
      gaps.give(block.at, block.bytes);
    }
  }
  return gaps.highest();
}

uint64_t pack_around(Lifetimes& all, const std::vector<Block>& anchored) {
  uint64_t bytes = 0;
  for (const Block block : anchored) {
    all.blocks[block].at = bytes;
    bytes += all.blocks[block].bytes;
  }
  const std::span<const Lifetimes::Step> steps(all.steps);
  const auto later = steps.subspan(all.steps_at_peak);
  const auto before = steps.first(all.steps_at_peak);
  const std::vector<Lifetimes::Step> backwards(before.rbegin(), before.rend());
  return std::max(pack(all.blocks, bytes, later, true), pack(all.blocks, bytes, backwards, false));
}

// Each block at the lowest place that is free over its whole life, the bulkiest first.
uint64_t pack_by_bulk(std::vector<Packed>& blocks, uint64_t last_event) {
  std::vector<Block> order(blocks.size());
  for (Block i = 0; i < order.size(); ++i) order[i] = i;
  const auto bulk = [&](Block i) {
    const Packed& one = blocks[i];
    return static_cast<double>(one.bytes) *
           static_cast<double>(std::min(one.death, last_event) - one.birth);
  };
  std::stable_sort(order.begin(), order.end(), [&](Block a, Block b) { return bulk(a) > bulk(b); });
  std::vector<Block> placed;  // by address
  uint64_t highest = 0;
  for (const Block block : order) {
    Packed& one = blocks[block];
    one.at = 0;
    for (const Block other : placed) {
      const Packed& there = blocks[other];
      if (there.birth >= one.death || one.birth >= there.death) continue;
      if (there.at >= one.at + one.bytes) break;
      one.at = std::max(one.at, there.at + there.bytes);
    }
    const auto place = std::upper_bound(placed.begin(), placed.end(), block, [&](Block a, Block b) {
      return blocks[a].at < blocks[b].at;
    });
    placed.insert(place, block);
    highest = std::max(highest, one.at + one.bytes);
  }
  return highest;
}

class Packer {
 public:
  Packer(Lifetimes& all, std::vector<Packed>* blocks) : all_(all), blocks_(blocks) {}

  void try_out(const char* name, const std::function<uint64_t()>& pack) {
    if (best_ == all_.rounded_most_live) return;  // nothing is better
    const uint64_t bytes = pack();
    if (name_ != nullptr && bytes >= best_) return;
    best_ = bytes;
    name_ = name;
    if (blocks_ != nullptr) *blocks_ = all_.blocks;
  }
  uint64_t best() const { return best_; }
  const char* name() const { return name_; }

 private:
  Lifetimes& all_;
  std::vector<Packed>* blocks_;
  uint64_t best_ = UINT64_MAX;
  const char* name_ = nullptr;
};

}  // namespace

Bounds find_bounds(EventSource& source, uint64_t align, std::vector<Packed>* blocks) {
  Lifetimes all = read_lifetimes(source, align);
  Bounds bounds{all.most_live, all.most_live_event, all.rounded_most_live, all.bump_bytes, 0,
                "none"};
  if (all.blocks.empty()) return bounds;
  std::vector<Block> anchored = anchored_in(all);
  Packer packer(all, blocks);
  packer.try_out("around the peak, the oldest lowest", [&] { return pack_around(all, anchored); });
  packer.try_out("around the peak, the last to die lowest", [&] {
    std::stable_sort(anchored.begin(), anchored.end(),
                     [&](Block a, Block b) { return all.blocks[a].death > all.blocks[b].death; });
    return pack_around(all, anchored);
  });
  packer.try_out("around the peak, the longest life lowest", [&] {
    std::stable_sort(anchored.begin(), anchored.end(), [&](Block a, Block b) {
      const Packed& x = all.blocks[a];
      const Packed& y = all.blocks[b];
      return x.death - x.birth > y.death - y.birth;
    });
    return pack_around(all, anchored);
  });
  if (all.blocks.size() <= kMostForPairs) {
    packer.try_out("first fit by decreasing size times lifetime",
                   [&] { return pack_by_bulk(all.blocks, all.blocks.back().birth + 1); });
  }
  bounds.packing_bytes = packer.best();
  bounds.packing = packer.name();
  return bounds;
}

}  // namespace mmt::sim
