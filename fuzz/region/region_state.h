// Two threads carve from the region at the same time, and mappings of others are put in its way.
// The state knows whose each slot is, so that a slot handed out twice, lost, or not mapped is
// found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heap/store/region.h"

namespace mmt::fuzz {

enum class RegionOpKind : uint8_t {
  kCarve,       // pieces of any size and alignment
  kCarveAt,     // pieces where the frontier stands, while it does
  kCarveSmall,  // many of them
  kObstacle,    // somebody else maps a page beyond what is mapped
  kCollect,     // runs that were left behind become usable
  kCount,
};

// Any values are legal. Which thread wins a race differs from run to run.
struct RegionOp {
  RegionOpKind kind = RegionOpKind::kCollect;
  uint32_t which = 0;   // how the threads choose their pieces
  uint32_t amount = 0;  // of pieces; the obstacle's distance
};

std::string describe(const RegionOp& op);

// What a thread takes next.
struct RegionWish {
  size_t count;
  size_t alignment;
};

class RegionState {
 public:
  using Op = RegionOp;

  RegionState();
  // All its address space goes back to the system.
  ~RegionState();
  RegionState(const RegionState&) = delete;
  RegionState& operator=(const RegionState&) = delete;

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants() const;
  // Collects what was left behind: no slot is lost then.
  void finish();

 private:
  using Slot = store::Slot;
  struct Piece {
    Slot first;
    size_t count;
    size_t alignment;  // 0: not asked for
  };
  using Pieces = std::vector<Piece>;
  using Wishes = std::vector<RegionWish>;

  void carve_some(RegionOpKind kind, const Wishes& wishes, Pieces* pieces);
  void carve_together(const Op& op);
  void own(const Piece& piece);
  void put_obstacle(const Op& op);
  void collect();
  size_t foreign() const;

  std::unique_ptr<store::Region> region_ = std::make_unique<store::Region>();
  std::vector<bool> owned_;  // by slot
  size_t owned_count_ = 0;
  std::vector<void*> obstacles_;
};

}  // namespace mmt::fuzz
