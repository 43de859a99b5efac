#include "depot/depot_state.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

#include "support/held_lock.h"
#include "support/region_memory.h"

namespace mmt::fuzz {
namespace {

const test::HeldLock lock;

using store::kClassCount;
using store::kClasses;
using store::kNoSlot;
using store::kSlotBytes;
using store::kSlotShift;
using store::SizeClass;
using store::Slot;

constexpr size_t kMostHeld = 60000;             // blocks of a class
constexpr size_t kMostLargeBytes = 200000000;   // in large blocks
constexpr size_t kLargestBlock = 24 << 20;      // several huge pages
constexpr uint64_t kMark = 0x9e3779b97f4a7c15;  // makes contents unlike an address

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

uint64_t mark_of(const char* place) { return reinterpret_cast<uintptr_t>(place) * kMark; }

void write_mark(char* place) {
  const uint64_t mark = mark_of(place);
  std::memcpy(place, &mark, sizeof mark);
}

uint64_t read_mark(const char* place) {
  uint64_t mark;
  std::memcpy(&mark, place, sizeof mark);
  return mark;
}

// Marks at both ends, and in every slot of a large block.
template <class Visit>
void for_each_mark(char* block, size_t bytes, Visit&& visit) {
  for (size_t at = 0; at + 8 <= bytes; at += kSlotBytes) visit(block + at);
  if (bytes >= 16) visit(block + bytes / 8 * 8 - 8);  // as the others, so that none overlap in part
}

void fill(char* block, size_t bytes) { for_each_mark(block, bytes, write_mark); }

// No longer like a block's, and not like memory that was never used either.
void wipe(char* block, size_t bytes) {
  for_each_mark(block, bytes, [](char* place) { std::memset(place, 0x11, sizeof(uint64_t)); });
}

void expect_filled(char* block, size_t bytes, const char* what) {
  for_each_mark(block, bytes,
                [what](char* place) { require(read_mark(place) == mark_of(place), what); });
}

SizeClass class_of(const Op& op) { return 1 + op.which % (kClassCount - 1); }

size_t large_bytes(const Op& op) {
  return store::kMaxClassSize + 1 + size_t{op.amount} * 61 % kLargestBlock;
}

}  // namespace

std::string describe(const Op& op) {
  constexpr std::array<const char*, static_cast<size_t>(OpKind::kCount)> kNames{
      "take_span",  "carve_span", "take_block",  "put_offsets", "put_words",    "return",
      "collect",    "take_large", "carve_large", "give_large",  "return_large", "resize_large",
      "grow_large", "purge",      "purge_top",   "age",         "thin"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

DepotState::DepotState() { require(depot_->open(false), "the depot opens"); }

// A depot lives as long as its process and cannot be closed: the tables lie below the slots.
DepotState::~DepotState() { test::return_memory(depot_->region()); }

Slot DepotState::span_of(SizeClass c, const char* block) const {
  return depot_->region().slot_of(block) & ~static_cast<Slot>(kClasses[c].span_slots - 1);
}

uint32_t DepotState::index_in_span(SizeClass c, const char* block) const {
  const char* start = depot_->region().address(span_of(c, block));
  return static_cast<uint32_t>(block - start) / kClasses[c].size;
}

void DepotState::hold(SizeClass c, char* block) {
  require(depot_->region().class_of(depot_->region().slot_of(block)) == c, "class of a block");
  require(read_mark(block) != mark_of(block), "a block is handed out once");
  fill(block, kClasses[c].size);
  held_[c].push_back(block);
}

void DepotState::release(SizeClass c, char* block) {
  expect_filled(block, kClasses[c].size, "contents of a block");
  wipe(block, kClasses[c].size);
}

void DepotState::hold_span(SizeClass c, Slot slot, const uint64_t* words) {
  if (slot == kNoSlot) return;
  for (uint32_t i = 0; i < kClasses[c].blocks; ++i)
    if ((words[i / 64] >> (i % 64) & 1) != 0)
      hold(c, depot_->region().address(slot) + size_t{i} * kClasses[c].size);
}

// Some blocks of the class, neighbours in the list: by `which` from its start or all over it.
DepotState::Blocks DepotState::choose(SizeClass c, const Op& op) {
  Blocks& all = held_[c];
  Blocks chosen;
  uint32_t at = op.amount;
  for (uint32_t n = op.amount % 700; n > 0 && !all.empty(); --n) {
    at = (op.which & 1) != 0 ? at : at * 1664525 + 1013904223;
    const size_t place = at % all.size();
    chosen.push_back(all[place]);
    all[place] = all.back();
    all.pop_back();
  }
  std::sort(chosen.begin(), chosen.end());
  for (char* block : chosen) release(c, block);
  return chosen;
}

void DepotState::put_offsets(SizeClass c, const Blocks& blocks) {
  constexpr size_t kWindowBytes = size_t{1} << store::kWindowShift;
  std::vector<uint32_t> offsets;
  for (size_t i = 0; i < blocks.size();) {
    char* const base = depot_->region().base();
    const size_t window = static_cast<size_t>(blocks[i] - base) / kWindowBytes;
    char* const start = base + window * kWindowBytes;
    offsets.clear();
    for (; i < blocks.size() && static_cast<size_t>(blocks[i] - start) < kWindowBytes; ++i)
      offsets.push_back(static_cast<uint32_t>((blocks[i] - start) >> store::kOffsetUnitShift));
    depot_->spans().put_offsets(lock, c, start, offsets.data(), offsets.size());
  }
}

void DepotState::put_words(const Blocks& blocks, SizeClass c) {
  for (size_t i = 0; i < blocks.size();) {
    uint64_t words[store::kMaxBitmapWords] = {};
    const Slot slot = span_of(c, blocks[i]);
    for (; i < blocks.size() && span_of(c, blocks[i]) == slot; ++i) {
      const uint32_t index = index_in_span(c, blocks[i]);
      words[index / 64] |= uint64_t{1} << (index % 64);
    }
    depot_->spans().put_words(lock, slot, words);
  }
}

// Looks at a large block's room to grow, and puts memory into half of it.
void DepotState::use_room(char* block, bool fill_some) {
  const size_t from = depot_->large().extent(block);
  const size_t end = depot_->growth().clean_room_end(block);
  if (end <= from) return;
  for_each_mark(block + from, end - from,
                [](char* place) { require(read_mark(place) == 0, "room to grow is zero"); });
  const size_t half = core::align_up((end - from) / 2, kSlotBytes);
  if (!fill_some) return;
  wipe(block + from, half);
  depot_->growth().note_filled(block, from + half);
}

void DepotState::hold_large(void* block, size_t bytes, const store::CleanParts& clean) {
  if (block == nullptr) return;
  char* const at = static_cast<char*>(block);
  for_each_mark(at, bytes, [](char* place) {
    require(read_mark(place) != mark_of(place), "a large block is handed out once");
  });
  const char* from = at;
  for (const auto& part : clean) {
    require(part.start >= from && part.end() <= at + bytes,
            "clean parts lie in the block in order");
    from = part.end();
    for_each_mark(part.start, part.bytes,
                  [](char* place) { require(read_mark(place) == 0, "clean memory is zero"); });
  }
  fill(at, bytes);
  large_.push_back({at, bytes});
}

DepotState::Large DepotState::choose_large(const Op& op) {
  const size_t place = op.which % large_.size();
  const Large chosen = large_[place];
  large_[place] = large_.back();
  large_.pop_back();
  expect_filled(chosen.at, chosen.bytes, "contents of a large block");
  wipe(chosen.at, chosen.bytes);
  return chosen;
}

void DepotState::purge(Slot first, size_t count) {
  if (count == 0) return;
  const bool clean = depot_->purging().purge_pages(first, count) == store::PurgeResult::kClean;
  if (first % 2 == 0)
    depot_->purging().end(lock, first, count, clean);
  else
    depot_->large().return_slots(first, count, clean);
}

// A look; at the first span found, blocks of its class come back in between.
void DepotState::thin(const Op& op) {
  Slot from = 0;
  while (from < depot_->region().frontier()) {
    uint64_t words[store::kMaxBitmapWords];
    const Slot slot = depot_->thinning().begin(lock, &from, 1 + op.which % 2000, words);
    if (slot == kNoSlot) continue;
    const SizeClass c = depot_->region().span(slot).size_class;
    Blocks meanwhile;
    for (size_t i = 0; i < held_[c].size() && op.amount % 4 == 0;) {
      if (span_of(c, held_[c][i]) != slot) {
        ++i;
        continue;
      }
      meanwhile.push_back(held_[c][i]);
      held_[c][i] = held_[c].back();
      held_[c].pop_back();
    }
    for (char* block : meanwhile) release(c, block);
    depot_->thinning().thin_pages(slot, words);
    std::sort(meanwhile.begin(), meanwhile.end());
    put_words(meanwhile, c);
    depot_->thinning().end(lock, slot, words);
  }
}

void DepotState::apply(const Op& op) {
  const SizeClass c = class_of(op);
  const bool room = held_[c].size() < kMostHeld;
  size_t in_large = 0;
  for (const Large& one : large_) in_large += one.bytes;
  const bool large_room = in_large < kMostLargeBytes;
  uint64_t words[store::kMaxBitmapWords] = {};
  store::CleanParts clean;
  // Calls under the lock map nothing: now and then they find nothing more.
  if (op.amount % 8 != 0)
    depot_->region().map_through((size_t{depot_->region().frontier()} << store::kSlotShift) +
                                 2 * kLargestBlock);
  switch (op.kind) {
    case OpKind::kTakeSpan:
      if (room) hold_span(c, depot_->spans().take_span(lock, c, words).slot, words);
      break;
    case OpKind::kCarveSpan:
      if (room) hold_span(c, depot_->spans().carve_span(c, words).slot, words);
      break;
    case OpKind::kTakeBlock:
      for (uint32_t n = op.amount % 50; n > 0 && room; --n) {
        void* const block = depot_->singles().take(lock, c);
        if (block != nullptr) hold(c, static_cast<char*>(block));
      }
      break;
    case OpKind::kPutOffsets:
      put_offsets(c, choose(c, op));
      break;
    case OpKind::kPutWords:
      put_words(choose(c, op), c);
      break;
    case OpKind::kReturnBlocks:
      for (char* block : choose(c, op)) {
        depot_->returned().add(block);
        ++returned_[c];
      }
      break;
    case OpKind::kCollect:
      if (depot_->returned().collect(lock, 1 + op.amount % 100)) returned_.fill(0);
      break;
    case OpKind::kTakeLarge:
      if (large_room) {
        const size_t alignment = size_t{1} << op.which % 24;
        void* const block = depot_->large().take(lock, large_bytes(op), alignment, &clean);
        require(reinterpret_cast<uintptr_t>(block) % alignment == 0, "alignment");
        hold_large(block, large_bytes(op), clean);
      }
      break;
    case OpKind::kCarveLarge:
      if (large_room)
        hold_large(depot_->large().carve(large_bytes(op), size_t{1} << op.which % 24),
                   large_bytes(op), clean);
      break;
    case OpKind::kGiveLarge:
      if (!large_.empty()) depot_->large().give(lock, choose_large(op).at);
      break;
    case OpKind::kReturnLarge:
      if (!large_.empty()) depot_->large().return_block(choose_large(op).at);
      break;
    case OpKind::kResizeLarge:
      if (!large_.empty()) {
        const Large old = choose_large(op);
        size_t fresh;
        const bool done = depot_->growth().resize(lock, old.at, large_bytes(op), &fresh);
        const size_t bytes = done ? large_bytes(op) : old.bytes;
        fill(old.at, bytes);
        large_.push_back({old.at, bytes});
      }
      break;
    case OpKind::kGrowLarge:
      if (!large_.empty() && large_room) {
        const Large old = choose_large(op);
        const size_t bytes = old.bytes + op.amount % kLargestBlock;
        const size_t extent = depot_->large().extent(old.at);
        auto* const grown = static_cast<char*>(depot_->growth().take(lock, bytes, extent));
        const bool moved =
            grown != nullptr && sys::move_pages(old.at, grown, extent) == sys::MoveResult::kMoved;
        if (moved) depot_->large().give(lock, old.at, true);
        if (grown != nullptr && !moved) depot_->large().give(lock, grown);
        const Large now = moved ? Large{grown, bytes} : old;
        fill(now.at, now.bytes);
        if (moved) use_room(grown, op.amount % 2 != 0);
        large_.push_back(now);
      }
      break;
    case OpKind::kPurge: {
      Slot first = 0;
      const Slot from = op.which % (depot_->region().frontier() + 1);
      const size_t count =
          depot_->purging().begin(lock, from, 1 + op.amount % 512, (op.amount & 1) != 0, &first);
      purge(first, count);
      break;
    }
    case OpKind::kPurgeTop: {
      Slot first = 0;
      const size_t count = depot_->purging().begin_top(lock, 1 + op.amount % 64, &first);
      purge(first, count);
      break;
    }
    case OpKind::kAge:
      depot_->runs().slots(lock).age();
      break;
    case OpKind::kThin:
      thin(op);
      break;
    case OpKind::kCount:
      break;
  }
}

void DepotState::check_invariants() {
  const store::DepotUsage usage = depot_->usage(lock);  // collects large blocks as well
  size_t large_slots = 0;
  size_t in_large = 0;
  for (const Large& one : large_) {
    large_slots += depot_->region().span(depot_->region().slot_of(one.at)).large_slots;
    in_large += core::align_up(one.bytes, sys::kPageSize);
  }
  require(usage.large_blocks == large_.size(), "large blocks are counted");
  require(usage.large_bytes <= usage.large_bytes_peak, "the peak is the most");
  const size_t used = usage.span_bytes + usage.large_bytes;
  require(used <= usage.peaks.used, "the peak of what is in use is the most");
  require(used + usage.dirty_free_bytes <= usage.peaks.held, "so is that of what is held");
  require(usage.large_taken - usage.large_given == large_.size(), "large blocks taken and given");
  require(usage.large_bytes == in_large, "bytes of large blocks are counted");
  require(usage.dirty_free_bytes <= usage.free_slot_bytes, "dirty slots are free slots");
  // Where another mapping, perhaps of an earlier depot, lay in the way.
  const uint8_t* const classes = depot_->region().class_table();
  const auto foreign = static_cast<size_t>(
      std::count(classes, classes + depot_->region().frontier(), store::kForeign));
  require(usage.frontier_bytes ==
              usage.free_slot_bytes + usage.span_bytes + ((large_slots + foreign) << kSlotShift),
          "every slot is free, a span's, a large block's or foreign");
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const size_t out =
        depot_->spans().class_spans(c) * kClasses[c].blocks - depot_->free_blocks(lock, c);
    require(out >= held_[c].size() && out <= held_[c].size() + returned_[c],
            "every block of a span is free or held");
  }
}

void DepotState::finish() {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    Blocks all = std::exchange(held_[c], {});
    std::sort(all.begin(), all.end());
    for (char* block : all) release(c, block);
    put_offsets(c, all);
  }
  while (!large_.empty()) depot_->large().give(lock, choose_large({}).at);
  while (!depot_->returned().collect(lock, 1000)) {
  }
  returned_.fill(0);
  check_invariants();
}

}  // namespace mmt::fuzz
