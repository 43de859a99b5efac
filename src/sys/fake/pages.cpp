// The OS contract for memory, as a fake double. It makes the real calls, behind a switch that makes
// chosen ones fail as the kernel would (faults.h). A call that fails does nothing, with one
// exception. A place which was to be replaced is unmapped by every other refusal, the first one
// included. A program that lists this file among its sources has it in place of linux/pages.cpp.
// unmap and restore do not fail.
#include <sys/mman.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "sys/fake/faults.h"

namespace mmt::sys {
namespace kernel {
namespace {
#include "sys/linux/page_calls.h"
#include "sys/linux/page_moves.h"
}  // namespace
}  // namespace kernel

namespace fake {
namespace {

// Relaxed: set before the threads that read it exist.
constinit std::atomic<Faults*> in_use{nullptr};

bool fails(Call call, void* return_address) {
  Faults* const faults = in_use.load(std::memory_order_relaxed);
  return faults != nullptr &&
         faults->fails(site_id(call, reinterpret_cast<uintptr_t>(return_address)));
}

// The kernel unmaps a place that it is to map anew before it can still fail.
void refuse_place(Call call, void* place, size_t bytes) {
  if (in_use.load(std::memory_order_relaxed)->failed(call) % 2 != 0) kernel::unmap(place, bytes);
}

}  // namespace

void use(Faults* faults) { in_use.store(faults, std::memory_order_relaxed); }

Site* Faults::find(SiteId id) {
  const size_t start = (id * 0x9e3779b97f4a7c15u >> 32) % kMaxSites;
  for (size_t i = 0; i < kMaxSites; ++i) {
    Site& site = sites_[(start + i) % kMaxSites];
    SiteId found = site.id.load(std::memory_order_relaxed);
    if (found == 0 && site.id.compare_exchange_strong(found, id, std::memory_order_relaxed))
      return &site;
    if (found == id) return &site;
  }
  return nullptr;
}

bool Faults::fails(SiteId id) {
  if (!armed_.load(std::memory_order_relaxed)) return false;
  Site* const site = find(id);
  if (site == nullptr) {
    overflown_.store(true, std::memory_order_relaxed);
    return false;
  }
  const uint32_t here = site->calls.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint32_t anywhere = calls_.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint32_t number = number_.load(std::memory_order_relaxed);
  const bool chosen = site_.load(std::memory_order_relaxed) == id;
  bool fail =
      (refused_.load(std::memory_order_relaxed) >> static_cast<unsigned>(call_of(id)) & 1) != 0;
  switch (mode_.load(std::memory_order_relaxed)) {
    case Mode::kNone:
      break;
    case Mode::kOnce:
      fail |= chosen && here == number;
      break;
    case Mode::kFrom:
      fail |= chosen && here >= number;
      break;
    case Mode::kEvery:
      fail |= anywhere % number == 0;
      break;
  }
  if (fail) site->failed.fetch_add(1, std::memory_order_relaxed);
  return fail;
}

uint32_t Faults::failed(Call call) const {
  uint32_t count = 0;
  for (const Site& site : sites_) {
    const SiteId id = site.id.load(std::memory_order_relaxed);
    if (id != 0 && call_of(id) == call) count += site.failed.load(std::memory_order_relaxed);
  }
  return count;
}

}  // namespace fake

using fake::Call;
using fake::fails;

MMT_NOINLINE MapResult map_at(void* at, size_t bytes) {
  if (fails(Call::kMapAt, __builtin_return_address(0))) return MapResult::kNoMemory;
  return kernel::map_at(at, bytes);
}

MMT_NOINLINE void* map_anywhere(size_t bytes) {
  if (fails(Call::kMapAnywhere, __builtin_return_address(0))) return nullptr;
  return kernel::map_anywhere(bytes);
}

void unmap(void* at, size_t bytes) { kernel::unmap(at, bytes); }

MMT_NOINLINE void* resize_mapping(void* at, size_t bytes, size_t new_bytes) {
  if (fails(Call::kResizeMapping, __builtin_return_address(0))) return nullptr;
  return kernel::resize_mapping(at, bytes, new_bytes);
}

MMT_NOINLINE bool populate(void* at, size_t bytes) {
  return !fails(Call::kPopulate, __builtin_return_address(0)) && kernel::populate(at, bytes);
}

bool look_for_pages(const void* at, size_t bytes, unsigned char* resident) {
  return kernel::look_for_pages(at, bytes, resident);
}

MMT_NOINLINE bool prefer_huge_pages(void* at, size_t bytes) {
  return !fails(Call::kPreferHugePages, __builtin_return_address(0)) &&
         kernel::prefer_huge_pages(at, bytes);
}

MMT_NOINLINE bool discard(void* at, size_t bytes) {
  return !fails(Call::kDiscard, __builtin_return_address(0)) && kernel::discard(at, bytes);
}

MMT_NOINLINE bool renew(void* at, size_t bytes) {
  if (!fails(Call::kRenew, __builtin_return_address(0))) return kernel::renew(at, bytes);
  fake::refuse_place(Call::kRenew, at, bytes);
  return false;
}

bool restore(void* at, size_t bytes) { return kernel::restore(at, bytes); }

MMT_NOINLINE MoveResult move_pages(void* from, void* to, size_t bytes) {
  if (!fails(Call::kMovePages, __builtin_return_address(0)))
    return kernel::move_pages(from, to, bytes);
  fake::refuse_place(Call::kMovePages, to, bytes);
  return MoveResult::kFailed;
}

MMT_NOINLINE MoveResult move_mapping(void* from, size_t bytes, void* to, size_t new_bytes) {
  if (!fails(Call::kMoveMapping, __builtin_return_address(0)))
    return kernel::move_mapping(from, bytes, to, new_bytes);
  fake::refuse_place(Call::kMoveMapping, to, new_bytes);
  return MoveResult::kFailed;
}

MMT_NOINLINE MoveResult move_pieces(void* from, void* to, size_t bytes) {
  if (!fails(Call::kMovePieces, __builtin_return_address(0)))
    return kernel::move_pieces(from, to, bytes);
  kernel::unmap(to, kPageSize);
  return MoveResult::kRefused;
}

bool join_mappings(void* at, size_t bytes) { return kernel::join_mappings(at, bytes); }

bool copy_if_readable(void* to, const void* from, size_t bytes) {
  return kernel::copy_if_readable(to, from, bytes);
}

bool make_writable(void* at, size_t bytes) { return kernel::make_writable(at, bytes); }

}  // namespace mmt::sys
