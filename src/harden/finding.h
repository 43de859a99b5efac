#pragma once
// A fault of the program's that was found in the heap, and what becomes of it.
#include <cstddef>
#include <cstdint>

#include "harden/sites.h"
#include "harden/stack.h"
#include "harden/times.h"
#include "harden/words.h"

namespace mmt::harden {

enum class Fault : uint8_t {
  kDoubleFree,
  kInvalidFree,
  kOverflow,
  kUnderflow,
  kWriteAfterFree,
  kSizeMismatch,
  kTypeMismatch,
  kMetadataWrite,
  kReadAfterFree,
  kCount,
};

// "double-free", "invalid-free" and so on.
const char* name_of(Fault fault);

// An allocation or a free, as far as it is known.
struct Event {
  Site site = Sites::kNone;
  uint64_t ms = 0;               // no sooner: see times.h
  const Stack* stack = nullptr;  // more than the site tells; it stays as it is

  static Event allocation_of(Tail tail) { return at(tail.allocated_at(), tail.allocated()); }
  static Event free_of(Tail tail) { return at(tail.freed_at(), tail.freed()); }
  static Event of(const Stack& stack) { return {Sites::kNone, stack.ms, &stack}; }
  bool is_known() const { return site != Sites::kNone || stack != nullptr; }

 private:
  // Unknown where the time is to come: the tail was written over.
  static Event at(Tick tick, Site site) {
    const uint64_t ms = begin_of(tick);
    return ms <= ms_now() ? Event{site, ms, nullptr} : Event{};
  }
};

struct Finding {
  static constexpr uint64_t kAtOnce = UINT64_MAX;

  Fault fault = Fault::kCount;
  // What exactly, after the block: "freed again", "byte 24 of 24 was written".
  const char* text = "";
  const void* block = nullptr;    // nullptr: it is none of the heap's
  size_t bytes = 0;               // that the program asked for
  bool has_bytes = false;         // they are known
  const void* address = nullptr;  // what was passed, or the first byte that was written
  size_t told = 0;                // by the call, where that is the fault
  bool has_told = false;
  const char* allocating = nullptr;  // the names, where they do not fit
  const char* freeing = nullptr;
  Event allocated{};
  Event freed{};
  const void* caller = nullptr;  // of the call that found it; nullptr: no call of the program's
  const Stack* found_stack = nullptr;  // more than the caller tells
  uint64_t whole_ms = kAtOnce;         // when all was well, for what is found later than it happens
};

// Reports it and does what was asked to follow. Any thread, any context; allocates nothing. It
// returns unless the process is to end.
void report(const Finding& finding);

// Once, before the program writes to stderr: a report begins a line of its own.
void watch_columns();

// A fork's child has one thread: nobody is amid a report.
void free_reports_in_child();

// Ends the process by SIGABRT, as harden_after wants it.
[[noreturn]] void end_by_abort();

// Writes what could not be written before. By a thread of the program.
void report_pending();

// How many have been reported.
uint64_t reported();

}  // namespace mmt::harden
