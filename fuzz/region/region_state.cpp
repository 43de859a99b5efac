#include "region/region_state.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <stdexcept>
#include <thread>

#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

#include "support/region_memory.h"

namespace mmt::fuzz {
namespace {

using store::kNoSlot;
using store::kSlotBytes;

constexpr size_t kMostSlots = 8000;    // 512 MiB of address space, two pages of each slot resident
constexpr size_t kMostObstacles = 6;   // each costs the heap a piece of 32 MiB at least
constexpr size_t kMostDistance = 600;  // of an obstacle, in slots

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

RegionWish choose(RegionOpKind kind, std::mt19937_64& random) {
  if (kind == RegionOpKind::kCarveSmall) return {1 + random() % 2, 1};
  const size_t count = 1 + random() % (random() % 8 == 0 ? 700 : 40);
  return {count, size_t{1} << random() % 8};
}

std::vector<RegionWish> choose_all(const RegionOp& op, uint64_t seed) {
  std::mt19937_64 random(seed);
  const uint32_t most = op.kind == RegionOpKind::kCarveSmall ? 400 : 6;
  std::vector<RegionWish> wishes;
  for (uint32_t n = 1 + op.amount % most; n > 0; --n) wishes.push_back(choose(op.kind, random));
  return wishes;
}

// Lets two threads go within few instructions of each other: races last no longer.
class Start {
 public:
  void wait() {
    ready_.fetch_add(1);
    for (int looks = 1; ready_.load() != 2; ++looks) {
      core::cpu_relax();
      if (looks % 1000 == 0) std::this_thread::yield();
    }
  }

 private:
  std::atomic<int> ready_{0};
};

}  // namespace

std::string describe(const RegionOp& op) {
  constexpr std::array<const char*, static_cast<size_t>(RegionOpKind::kCount)> kNames{
      "carve", "carve_at", "carve_small", "obstacle", "collect"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

RegionState::RegionState() { require(region_->open(false), "the region opens"); }

RegionState::~RegionState() {
  test::return_memory(*region_);
  for (void* obstacle : obstacles_) munmap(obstacle, sys::kPageSize);
}

// By each of the two threads.
void RegionState::carve_some(RegionOpKind kind, const Wishes& wishes, Pieces* pieces) {
  for (const RegionWish& wish : wishes) {
    if (region_->frontier() >= kMostSlots) return;
    if (kind == RegionOpKind::kCarveAt) {
      const Slot frontier = region_->frontier();
      if (region_->carve_at(frontier, wish.count)) pieces->push_back({frontier, wish.count, 0});
      continue;
    }
    Slot skipped_from = 0;
    size_t skipped = 0;
    const Slot first = region_->carve(wish.count, wish.alignment, &skipped_from, &skipped);
    if (first == kNoSlot) continue;
    pieces->push_back({first, wish.count, wish.alignment});
    if (skipped != 0) pieces->push_back({skipped_from, skipped, 0});
  }
}

void RegionState::carve_together(const Op& op) {
  Pieces pieces[2];
  Start start;
  const auto run = [&](uint32_t index) {
    const Wishes wishes = choose_all(op, op.which * uint64_t{2} + index);
    pieces[index].reserve(2 * wishes.size());
    start.wait();
    carve_some(op.kind, wishes, &pieces[index]);
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  for (const Pieces& of_thread : pieces)
    for (const Piece& piece : of_thread) own(piece);
}

void RegionState::own(const Piece& piece) {
  const size_t end = piece.first + piece.count;
  require(end <= region_->frontier(), "a piece lies below the frontier");
  if (owned_.size() < end) owned_.resize(end);
  if (piece.alignment != 0) {
    const auto address = reinterpret_cast<uintptr_t>(region_->address(piece.first));
    require(address % (piece.alignment * kSlotBytes) == 0, "a piece is aligned");
  }
  for (size_t slot = piece.first; slot < end; ++slot) {
    require(!owned_[slot], "a slot is handed out once");
    owned_[slot] = true;
    char* const at = region_->address(static_cast<Slot>(slot));
    require(region_->contains(at), "a slot is the region's");
    require(region_->class_of(slot) == store::kNoClass, "a slot is not foreign, and has no class");
    require(region_->span(static_cast<Slot>(slot)).free_blocks == 0, "a fresh record is zero");
    require(*region_->free_bits(static_cast<Slot>(slot)) == 0, "fresh bits are zero");
    require(*at == 0, "fresh memory is zero");
    *at = 1;
    at[kSlotBytes - 1] = 1;
  }
  owned_count_ += piece.count;
}

void RegionState::put_obstacle(const Op& op) {
  if (obstacles_.size() == kMostObstacles) return;
  char* const at = region_->base() + region_->mapped_bytes() +
                   op.amount % kMostDistance * kSlotBytes +
                   op.which % (kSlotBytes / sys::kPageSize) * sys::kPageSize;
  void* const obstacle =
      mmap(at, sys::kPageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (obstacle != MAP_FAILED) obstacles_.push_back(obstacle);
}

void RegionState::collect() {
  for (Slot link = region_->take_left_behind(); link != 0;) {
    const store::Span run = region_->span(link - 1);
    require(run.large_slots != 0, "a run left behind has slots");
    region_->span(link - 1) = {};
    own({link - 1, run.large_slots, 0});
    link = run.next_sibling;
  }
}

void RegionState::apply(const Op& op) {
  switch (op.kind) {
    case RegionOpKind::kCarve:
    case RegionOpKind::kCarveAt:
    case RegionOpKind::kCarveSmall:
      return carve_together(op);
    case RegionOpKind::kObstacle:
      return put_obstacle(op);
    case RegionOpKind::kCollect:
      return collect();
    case RegionOpKind::kCount:
      break;
  }
}

size_t RegionState::foreign() const {
  const uint8_t* const classes = region_->class_table();
  return static_cast<size_t>(std::count(classes, classes + region_->frontier(), store::kForeign));
}

void RegionState::check_invariants() const {
  const size_t frontier = region_->frontier();
  require(frontier * kSlotBytes <= region_->mapped_bytes(), "all below the frontier is mapped");
  require(owned_count_ + foreign() <= frontier, "no slot is both owned and foreign");
  for (void* obstacle : obstacles_) {
    const size_t slot = region_->slot_index(obstacle);
    require(slot >= frontier || region_->class_of(slot) == store::kForeign,
            "an obstacle's slot is foreign");
  }
}

void RegionState::finish() {
  collect();
  check_invariants();
  require(owned_count_ + foreign() == region_->frontier(), "no slot is lost");
}

}  // namespace mmt::fuzz
