#include "slot_map/slot_map_state.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "support/region_memory.h"

namespace mmt::fuzz {
namespace {

using store::kNoSlot;
using store::kSlotBytes;

constexpr size_t kMostSlots = 3000;

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

size_t count_of(const SlotMapOp& op) { return 1 + op.amount % (op.amount % 8 == 0 ? 300 : 20); }

size_t alignment_of(const SlotMapOp& op) { return size_t{1} << op.amount / 1000 % 7; }

}  // namespace

std::string describe(const SlotMapOp& op) {
  constexpr std::array<const char*, static_cast<size_t>(SlotMapOpKind::kCount)> kNames{
      "take", "take_dirty", "take_at", "give", "split", "purge", "purge_top", "age", "grow"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

SlotMapState::SlotMapState() {
  require(region_->open(false), "the region opens");
  map_.open(region_.get());
}

SlotMapState::~SlotMapState() { test::return_memory(*region_); }

bool SlotMapState::all(const Run& run, Question question) const {
  return run_length(run.first, run.count, question) == run.count;
}

bool SlotMapState::none(const Run& run, Question question) const {
  for (size_t i = run.first; i < run.first + run.count; ++i)
    if (model_[i].*question) return false;
  return true;
}

size_t SlotMapState::run_length(Slot first, size_t most, Question question) const {
  size_t count = 0;
  while (count < most && first + count < frontier() && model_[first + count].*question) ++count;
  return count;
}

store::Slot SlotMapState::lowest(size_t count, size_t alignment, Question question) const {
  for (Slot first = 0; first + count <= frontier(); ++first) {
    const auto address = reinterpret_cast<uintptr_t>(region_->address(first));
    if (address % (alignment * kSlotBytes) == 0 && all({first, count}, question)) return first;
  }
  return kNoSlot;
}

SlotMapState::Run SlotMapState::lowest_run(Slot from, size_t most, Question question) const {
  while (from < frontier() && !(model_[from].*question)) ++from;
  return {from, run_length(from, most, question)};
}

SlotMapState::Run SlotMapState::highest_run(size_t most, Question question) const {
  size_t end = frontier();
  while (end > 0 && !(model_[end - 1].*question)) --end;
  size_t first = end;
  while (first > 0 && end - first < most && model_[first - 1].*question) --first;
  return {static_cast<Slot>(first), end - first};
}

void SlotMapState::hold(const Run& run) {
  for (size_t i = run.first; i < run.first + run.count; ++i) model_[i] = {};
  held_.push_back(run);
}

void SlotMapState::take(size_t count, size_t alignment) {
  const Slot expected = lowest(count, alignment, &SlotModel::free);
  bool was_clean = false;
  require(map_.take(count, alignment, &was_clean) == expected, "the lowest run is taken");
  if (expected == kNoSlot) return;
  const Run run{expected, count};
  require(was_clean == none(run, &SlotModel::dirty), "whether a run reads as zero");
  hold(run);
}

void SlotMapState::take_dirty(size_t count, size_t alignment) {
  const Slot expected = lowest(count, alignment, &SlotModel::dirty);
  require(map_.take_dirty(count, alignment) == expected, "the lowest dirty run is taken");
  if (expected != kNoSlot) hold({expected, count});
}

void SlotMapState::take_at(Slot first, size_t count) {
  const Run run{first, count};
  const bool possible = all(run, &SlotModel::free);
  bool was_clean = false;
  require(map_.take_at(first, count, &was_clean) == possible, "a run is taken if it is free");
  if (!possible) return;
  require(was_clean == none(run, &SlotModel::dirty), "whether a run at a place reads as zero");
  hold(run);
}

void SlotMapState::give(const Run& run, bool dirty) {
  map_.give(run.first, run.count, dirty);
  for (size_t i = run.first; i < run.first + run.count; ++i) model_[i] = {true, dirty, false};
}

// `whole`, or a part out of it: what is left are two runs, of which each may be empty.
void SlotMapState::give_held(const Op& op, bool whole) {
  if (held_.empty()) return;
  const size_t place = op.which % held_.size();
  const Run run = std::exchange(held_[place], held_.back());
  held_.pop_back();
  const size_t skip = whole ? 0 : op.amount % run.count;
  const size_t count = whole ? run.count : 1 + op.amount / 7 % (run.count - skip);
  if (skip != 0) held_.push_back({run.first, skip});
  const auto end = static_cast<Slot>(run.first + skip + count);
  if (skip + count != run.count) held_.push_back({end, run.count - skip - count});
  give({run.first + static_cast<Slot>(skip), count}, op.amount % 3 != 0);
}

void SlotMapState::purge(const Run& run) {
  if (run.count == 0) return;
  take_at(run.first, run.count);
  held_.pop_back();
  give(run, false);
}

void SlotMapState::age() {
  map_.age();
  for (SlotModel& slot : model_) slot.aged = slot.dirty;
}

void SlotMapState::grow(size_t count) {
  if (frontier() + count > kMostSlots) return;
  Slot skipped_from;
  size_t skipped;
  const Slot first = region_->carve(count, 1, &skipped_from, &skipped);
  require(first == frontier(), "the frontier moves slot by slot");
  model_.resize(first + count);
  hold({first, count});
}

void SlotMapState::apply(const Op& op) {
  const size_t count = count_of(op);
  const bool aged = op.amount % 2 != 0;
  const auto place = static_cast<Slot>((op.which + op.amount) % (frontier() + 1));
  Slot first = 0;
  Run run{};
  switch (op.kind) {
    case SlotMapOpKind::kTake:
      return take(count, alignment_of(op));
    case SlotMapOpKind::kTakeDirty:
      return take_dirty(count, alignment_of(op));
    case SlotMapOpKind::kTakeAt:
      return take_at(place, count);
    case SlotMapOpKind::kGive:
      return give_held(op, true);
    case SlotMapOpKind::kSplit:
      return give_held(op, false);
    case SlotMapOpKind::kPurge:
      run = lowest_run(place, count, aged ? &SlotModel::aged : &SlotModel::dirty);
      require(map_.find_dirty(place, count, aged, &first) == run.count, "length of a dirty run");
      require(run.count == 0 || first == run.first, "place of a dirty run");
      return purge(run);
    case SlotMapOpKind::kPurgeTop:
      run = highest_run(count, &SlotModel::dirty);
      require(map_.find_highest_dirty(count, &first) == run.count, "length of the highest run");
      require(run.count == 0 || first == run.first, "place of the highest run");
      return purge(run);
    case SlotMapOpKind::kAge:
      return age();
    case SlotMapOpKind::kGrow:
      return grow(count);
    case SlotMapOpKind::kCount:
      break;
  }
}

void SlotMapState::check_bitmap(store::Side which, Question question) const {
  const uint64_t* const bits = region_->slot_bitmap(which);
  for (size_t i = 0; i < frontier(); ++i)
    require((bits[i / 64] >> (i % 64) & 1) == (model_[i].*question ? 1 : 0), "a slot's bit");
}

void SlotMapState::check_invariants() const {
  const auto count = [this](Question question) {
    return static_cast<size_t>(
        std::count_if(model_.begin(), model_.end(),
                      [question](const SlotModel& slot) { return slot.*question; }));
  };
  require(map_.free_slots() == count(&SlotModel::free), "free slots are counted");
  require(map_.dirty_slots() == count(&SlotModel::dirty), "dirty slots are counted");
  check_bitmap(store::Side::kFree, &SlotModel::free);
  check_bitmap(store::Side::kDirty, &SlotModel::dirty);
  check_bitmap(store::Side::kAged, &SlotModel::aged);
}

void SlotMapState::finish() {
  for (const Run& run : std::exchange(held_, {})) give(run, true);
  check_invariants();
  require(map_.free_slots() == frontier(), "every slot is free at the end");
}

}  // namespace mmt::fuzz
