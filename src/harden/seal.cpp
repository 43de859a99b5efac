#include "harden/seal.h"

#include <sys/mman.h>

#include <mmt/core/compiler.h>
#include <mmt/sys/syscall.h>

#include "harden/finding.h"
#include "harden/served_heap.h"
#include "harden/settings.h"

// The library in memory, from its header to the end of its code.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start[];
extern "C" [[gnu::visibility("hidden")]] const char etext[];

namespace mmt::harden {
namespace {

using store::Side;

constexpr Side kSealed[] = {Side::kClasses, Side::kSpans, Side::kFreeBits,  Side::kFree,
                            Side::kDirty,   Side::kAged,  Side::kDisplaced, Side::kSeams};

bool is_sealing = false;

bool is_in(const void* address, const char* start, size_t bytes) {
  const auto* const at = static_cast<const char*>(address);
  return at >= start && at < start + bytes;
}

void protect(std::span<char> table, int protection) {
  if (table.empty()) return;
  sys::raw_syscall(SYS_mprotect, sys::pointer_argument(table.data()),
                   static_cast<long>(table.size()), protection);
}

bool is_of_library(const void* instruction) {
  return is_in(instruction, __ehdr_start, static_cast<size_t>(etext - __ehdr_start));
}

}  // namespace

constinit bool SealedAgain::has_opened = false;

MMT_COLD void SealedAgain::seal() {
  __atomic_store_n(&has_opened, false, __ATOMIC_RELAXED);
  for (const Side one : kSealed) protect(served_heap().depot.region().table(one), PROT_READ);
}

void begin_sealing() {
  if (!settings.seals) return;
  served_heap().options.server = heap::Switch::kOff;
  is_sealing = true;
  __atomic_store_n(&SealedAgain::has_opened, true, __ATOMIC_RELAXED);
  const SealedAgain at_once;
}

bool open_sealed(const void* address, const void* instruction) {
  if (!is_sealing) return false;
  const store::Region& region = served_heap().depot.region();
  for (const Side one : kSealed) {
    const std::span<char> table = region.table(one);
    if (!is_in(address, table.data(), table.size())) continue;
    if (is_of_library(instruction)) {
      protect(table, PROT_READ | PROT_WRITE);
      __atomic_store_n(&SealedAgain::has_opened, true, __ATOMIC_RELAXED);
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

}  // namespace mmt::harden
