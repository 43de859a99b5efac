#include "heap/heap_state.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "heap/gates/surplus_reader.h"
#include "heap/keeper/prefaulter.h"
#include "heap/object/depot_guard.h"
#include "heap/object/thread_state.h"
#include "heap/process/allocation.h"
#include "heap/thread/end_thread.h"
#include "heap/thread/reclaim.h"
#include "observe/stats.h"

namespace mmt::fuzz {
namespace {

using heap::Client;
using store::kClassCount;
using store::kClasses;
using store::kNoSlot;
using store::SizeClass;

constexpr size_t kMostLive = 200000;
constexpr size_t kMostLiveBytes = 200000000;
constexpr uint32_t kMostOfMany = 700;
constexpr uint32_t kReader = 1;  // what the memory thread is called here
constexpr uint64_t kDecayNs = 1000000000;
constexpr uint64_t kMark = 0x9e3779b97f4a7c15;  // makes contents unlike an address
constexpr size_t kMarkDistance = 4096;

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// Marks at both ends, and in every page.
template <class Visit>
void for_each_mark(char* block, size_t bytes, Visit&& visit) {
  for (size_t at = 0; at + 8 <= bytes; at += kMarkDistance) visit(block + at);
  if (bytes >= 16) visit(block + bytes / 8 * 8 - 8);  // as the others, so that none overlap in part
}

void fill(char* block, size_t bytes, uint64_t id) {
  const uint64_t mark = id * kMark;
  for_each_mark(block, bytes, [mark](char* place) { std::memcpy(place, &mark, sizeof mark); });
}

bool is_filled(char* block, size_t bytes, uint64_t id) {
  bool all = true;
  for_each_mark(block, bytes, [&all, mark = id * kMark](char* place) {
    all &= std::memcmp(place, &mark, sizeof mark) == 0;
  });
  return all;
}

bool is_zero(const char* block, size_t bytes) {
  return bytes == 0 || (block[0] == 0 && std::memcmp(block, block + 1, bytes - 1) == 0);
}

// Small sizes, those above the table of steps, those of wide spans, large ones.
size_t size_of(const HeapOp& op) {
  constexpr size_t kRanges[] = {1100, 1100, 9000, 300000, 3000000};
  return op.amount % kRanges[op.which % std::size(kRanges)];
}

uint8_t code_of(heap::Heap& heap, const char* block) {
  const store::Region& region = heap.depot.region();
  return region.class_of(region.slot_of(block));
}

}  // namespace

std::string describe(const HeapOp& op) {
  constexpr const char* kNames[] = {
      "take",      "take_many", "take_zeroed", "take_aligned", "give",
      "give_many", "resize",    "switch",      "end_thread",   "serve",
      "drain",     "collect",   "reclaim",     "purge",        "trim",
  };
  static_assert(std::size(kNames) == static_cast<size_t>(HeapOpKind::kCount));
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

HeapState::HeapState() : purger_(heap_) {
  purger_.open(kDecayNs, heap::thread_id());
  heap_.server.stay_away();
}

void HeapState::hold(void* at, size_t bytes) {
  auto* const block = static_cast<char*>(at);
  require(block != nullptr, "there is memory");
  require(reinterpret_cast<uintptr_t>(block) % 16 == 0, "blocks are aligned to 16 bytes");
  require(heap::owns(heap_, block), "blocks lie in the heap");
  require(heap::usable_size(heap_, block) >= bytes, "blocks are as large as asked");
  fill(block, bytes, next_id_);
  live_.push_back({block, bytes, next_id_++});
}

HeapState::Block HeapState::drop(uint32_t which) {
  const size_t place = which % live_.size();
  const Block chosen = live_[place];
  live_[place] = live_.back();
  live_.pop_back();
  require(is_filled(chosen.at, chosen.bytes, chosen.id), "a block keeps its contents");
  return chosen;
}

void HeapState::take_many(const Op& op) {
  const size_t bytes = op.which % 1100;
  for (uint32_t left = op.amount % kMostOfMany; left != 0; --left)
    hold(heap::allocate(heap_, bytes), bytes);
}

void HeapState::resize(const Op& op) {
  const Block old = drop(op.which);
  const size_t bytes = size_of(op);
  auto* const moved = static_cast<char*>(heap::reallocate(heap_, old.at, bytes));
  require(moved != nullptr, "there is memory for a block of another size");
  const size_t kept = std::min(old.bytes, bytes);
  // The mark at the old end has been cut off, or lies in the middle.
  for (size_t at = 0; at + 8 <= kept; at += kMarkDistance)
    require(is_filled(moved + at, 8, old.id), "contents move with their block");
  hold(moved, bytes);
}

void HeapState::switch_to(uint32_t thread) {
  clients_[running_] = heap::thread_state.client;
  running_ = thread;
  heap::thread_state.client = clients_[thread];
  heap::thread_state.ended = false;
  heap::current_fast = &heap::empty_fast_part;
}

void HeapState::end_thread() {
  heap::end_thread(heap_);
  heap::thread_state.ended = false;  // the next of this number is a new one
}

void HeapState::serve(bool on) {
  serving_ = on;
  on ? heap_.server.running() : heap_.server.stay_away();
}

Client* HeapState::client_of(const Op& op) const {
  const uint32_t count = heap_.clients.count();
  return count == 0 ? nullptr : heap_.clients.at(op.which % count);
}

void HeapState::reclaim(const Op& op) {
  Client* const client = client_of(op);
  if (client == nullptr || !client->lease.begin_reclaim()) return;
  require(heap::reclaim_client(heap_, kReader, *client), "nobody else reads its channel");
  client->lease.end_reclaim();
}

void HeapState::purge(const Op& op) {
  now_ += op.amount % (2 * kDecayNs);
  while (purger_.run(now_)) {
  }
}

void HeapState::apply(const Op& op) {
  size_t bytes_live = 0;
  for (const Block& block : live_) bytes_live += block.bytes;
  const bool room = live_.size() < kMostLive && bytes_live < kMostLiveBytes;
  const size_t bytes = size_of(op);
  switch (op.kind) {
    case HeapOpKind::kTake:
      if (room) hold(heap::allocate(heap_, bytes), bytes);
      break;
    case HeapOpKind::kTakeMany:
      if (room) take_many(op);
      break;
    case HeapOpKind::kTakeZeroed:
      if (room) {
        auto* const block = static_cast<char*>(heap::allocate_zeroed(heap_, bytes));
        require(block == nullptr || is_zero(block, bytes), "zeroed blocks are zero");
        hold(block, bytes);
      }
      break;
    case HeapOpKind::kTakeAligned:
      if (room) {
        const size_t alignment = size_t{1} << op.amount % 23;
        void* const block = heap::allocate_aligned(heap_, bytes, alignment);
        require(reinterpret_cast<uintptr_t>(block) % alignment == 0, "blocks are aligned as asked");
        hold(block, bytes);
      }
      break;
    case HeapOpKind::kGive:
      if (!live_.empty()) heap::deallocate(heap_, drop(op.which).at);
      break;
    case HeapOpKind::kGiveMany:
      for (uint32_t left = op.amount % kMostOfMany; left != 0 && !live_.empty(); --left)
        heap::deallocate(heap_, drop(op.which).at);
      break;
    case HeapOpKind::kResize:
      if (!live_.empty() && room) resize(op);
      break;
    case HeapOpKind::kSwitch:
      switch_to(op.which % kThreads);
      break;
    case HeapOpKind::kEndThread:
      end_thread();
      break;
    case HeapOpKind::kServe:
      serve(op.which % 4 != 0);
      break;
    case HeapOpKind::kDrain:
      if (Client* const client = client_of(op)) {
        heap::SurplusReader reader(heap_, *client, kReader);
        const heap::DepotGuard lock(heap_);
        reader.put(lock, 1 + op.amount % 8);
      }
      break;
    case HeapOpKind::kCollect: {
      const heap::DepotGuard lock(heap_);
      heap_.depot.returned().collect(lock, 1 + op.amount % 64);
      heap_.depot.large().collect(lock, 1 + op.amount % 16);
      break;
    }
    case HeapOpKind::kReclaim:
      reclaim(op);
      break;
    case HeapOpKind::kPurge:
      purge(op);
      break;
    case HeapOpKind::kTrim:
      heap::trim(heap_);
      break;
    case HeapOpKind::kCount:
      break;
  }
}

void HeapState::check_invariants() const {
  std::array<uint64_t, kClassCount> in_use{};
  uint64_t large = 0;
  uint64_t large_bytes = 0;
  for (const Block& block : live_) {
    const uint8_t code = code_of(heap_, block.at);
    require(code == store::kLargeHead || (code != 0 && code < kClassCount), "blocks have a class");
    if (code != store::kLargeHead) {
      ++in_use[code];
      continue;
    }
    ++large;
    large_bytes += heap::usable_size(heap_, block.at);
  }
  observe::Census census;
  observe::collect_census(heap_, &census);
  for (SizeClass c = 1; c < kClassCount; ++c)
    require(census.classes[c].in_use() == in_use[c], "every block is live or found free once");
  require(census.depot.large_blocks == large, "large blocks are counted");
  require(census.depot.large_bytes == large_bytes, "and their bytes");
}

void HeapState::finish() {
  while (!live_.empty()) heap::deallocate(heap_, drop(0).at);
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    switch_to(thread);
    end_thread();
  }
  serve(false);
  heap::trim(heap_);
  check_invariants();
  for (SizeClass c = 1; c < kClassCount; ++c)
    require(heap_.depot.spans().class_spans(c) == 0, "an empty heap has no spans");
  require(heap_.depot.runs().dirty_bytes() == 0, "all of its memory has gone back");
}

}  // namespace mmt::fuzz
