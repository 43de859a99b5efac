// The slot map beside a plain model of it: one record a slot. Runs are taken, given back whole or
// in parts, meet their neighbours, are cleaned and age.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heap/store/slot_map.h"

namespace mmt::fuzz {

enum class SlotMapOpKind : uint8_t {
  kTake,       // the lowest run
  kTakeDirty,  // the lowest dirty run
  kTakeAt,     // a run at a place
  kGive,       // a run that is held
  kSplit,      // a part of one
  kPurge,      // a dirty run is taken, and given back clean
  kPurgeTop,   // the highest one
  kAge,
  kGrow,  // the frontier moves
  kCount,
};

// Any values are legal, and are reduced to what there is.
struct SlotMapOp {
  SlotMapOpKind kind = SlotMapOpKind::kAge;
  uint32_t which = 0;   // a slot, or the place in a list of runs
  uint32_t amount = 0;  // of slots; their alignment
};

std::string describe(const SlotMapOp& op);

class SlotMapState {
 public:
  using Op = SlotMapOp;

  SlotMapState();
  // All its address space goes back to the system.
  ~SlotMapState();
  SlotMapState(const SlotMapState&) = delete;
  SlotMapState& operator=(const SlotMapState&) = delete;

  // Each throws std::logic_error that says what does not hold.
  void apply(const Op& op);
  void check_invariants() const;
  // Gives all back: every slot is free then.
  void finish();

 private:
  using Slot = store::Slot;
  struct SlotModel {
    bool free = false;
    bool dirty = false;
    bool aged = false;
  };
  struct Run {
    Slot first;
    size_t count;
  };
  using Question = bool SlotModel::*;

  size_t frontier() const { return model_.size(); }
  bool all(const Run& run, Question question) const;
  bool none(const Run& run, Question question) const;
  Slot lowest(size_t count, size_t alignment, Question question) const;
  size_t run_length(Slot first, size_t most, Question question) const;
  Run lowest_run(Slot from, size_t most, Question question) const;
  Run highest_run(size_t most, Question question) const;

  void take(size_t count, size_t alignment);
  void take_dirty(size_t count, size_t alignment);
  void take_at(Slot first, size_t count);
  void hold(const Run& run);
  void give(const Run& run, bool dirty);
  void give_held(const Op& op, bool whole);
  void purge(const Run& run);
  void age();
  void grow(size_t count);
  void check_bitmap(store::Side which, Question question) const;

  std::unique_ptr<store::Region> region_ = std::make_unique<store::Region>();
  store::SlotMap map_;
  std::vector<SlotModel> model_;
  std::vector<Run> held_;
};

}  // namespace mmt::fuzz
