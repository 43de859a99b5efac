#include "harden/seal.h"

#include <sys/mman.h>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sync/try_lock.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

#include "harden/fault_signals.h"
#include "harden/finding.h"
#include "harden/served_heap.h"
#include "harden/settings.h"
#include "harden/turn.h"

// The library in memory, from its header to the end of its code.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start[];
extern "C" [[gnu::visibility("hidden")]] const char etext[];

namespace mmt::harden {
namespace {

using store::Side;

constexpr Side kSealed[] = {Side::kClasses, Side::kSpans, Side::kFreeBits,  Side::kFree,
                            Side::kDirty,   Side::kAged,  Side::kDisplaced, Side::kSeams};

bool is_in(const void* address, const char* start, size_t bytes) {
  const auto* const at = static_cast<const char*>(address);
  return at >= start && at < start + bytes;
}

void protect(const char* at, size_t bytes, int protection) {
  if (bytes != 0)
    sys::raw_syscall(SYS_mprotect, sys::pointer_argument(at), static_cast<long>(bytes), protection);
}
constexpr int kOpen = PROT_READ | PROT_WRITE;

std::span<char> table_of(Side side) { return served_heap().depot.region().table(side); }

void protect_all(int protection) {
  for (const Side one : kSealed) protect(table_of(one).data(), table_of(one).size(), protection);
}

// Sealing and opening take turns.
constinit sync::TryLock<> in_turn{};
// In turn: calls that have opened all, amid which nothing is sealed.
constinit uint32_t calls_amid_all = 0;

// The pages that the calling thread has opened.
struct Opened {
  static constexpr uint32_t kMost = 16;

  uint32_t count = 0;  // kMost + 1: more, and all is sealed
  const char* pages[kMost] = {};
};
constinit __thread Opened opened{};

void open_page(const char* page) {
  protect(page, sys::kPageSize, kOpen);
  if (opened.count < Opened::kMost)
    opened.pages[opened.count++] = page;
  else
    opened.count = Opened::kMost + 1;
}

// What the tables have gained is open.
size_t sealed_bytes = 0;
bool has_grown() {
  size_t now = 0;
  for (const Side one : kSealed) now += table_of(one).size();
  const bool grown = now != sealed_bytes;
  sealed_bytes = now;
  return grown;
}

void open_all() {
  const Turn turn(in_turn);
  ++calls_amid_all;
  protect_all(kOpen);
}

bool is_of_library(const void* instruction) {
  return is_in(instruction, __ehdr_start, static_cast<size_t>(etext - __ehdr_start));
}

}  // namespace

constinit bool SealedAgain::is_sealing = false;

MMT_COLD void SealedAgain::begin_call() {
  if (can_handle_faults()) return;
  open_all();
  has_opened_all_ = true;
}

MMT_COLD void SealedAgain::end_call() {
  if (opened.count == 0 && !has_opened_all_) return;
  const Turn turn(in_turn);
  const Opened own = opened;
  opened.count = 0;
  if (has_opened_all_) --calls_amid_all;
  if (calls_amid_all != 0) return;  // the last of them seals
  if (has_opened_all_ || own.count > Opened::kMost || has_grown()) return protect_all(PROT_READ);
  for (uint32_t i = 0; i < own.count; ++i) protect(own.pages[i], sys::kPageSize, PROT_READ);
}

void begin_sealing() {
  if (!settings.seals) return;
  served_heap().options.server = heap::Switch::kOff;
  SealedAgain::is_sealing = true;
  static_cast<void>(has_grown());
  protect_all(PROT_READ);
}

bool open_sealed(const void* address, const void* instruction) {
  if (!SealedAgain::is_sealing) return false;
  for (const Side one : kSealed) {
    if (!is_in(address, table_of(one).data(), table_of(one).size())) continue;
    if (is_of_library(instruction)) {
      const Turn turn(in_turn);
      const auto at = reinterpret_cast<uintptr_t>(address);
      open_page(reinterpret_cast<const char*>(core::align_down(at, sys::kPageSize)));
      return true;
    }
    Finding finding{Fault::kMetadataWrite, "the heap's own tables are being written"};
    finding.address = address;
    finding.caller = instruction;
    report(finding);
    return false;
  }
  return false;
}

void unseal_for_fork() {
  if (SealedAgain::is_sealing) open_all();
}

void seal_after_fork() {
  if (!SealedAgain::is_sealing) return;
  const Turn turn(in_turn);
  if (--calls_amid_all == 0) protect_all(PROT_READ);
}

void seal_in_child() {
  in_turn.reset_in_child();
  calls_amid_all = 0;
  opened.count = 0;
  if (SealedAgain::is_sealing) protect_all(PROT_READ);
}

}  // namespace mmt::harden
