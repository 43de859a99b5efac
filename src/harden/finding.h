#pragma once
// A fault of the program's that was found in the heap, and what becomes of it.
#include <cstddef>
#include <cstdint>

#include "harden/stack.h"
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

struct Finding {
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
  Site allocated = 0;
  Site freed = 0;
  // More than the sites and the caller tell, where it is known. They stay as they are.
  const Stack* allocated_stack = nullptr;
  const Stack* freed_stack = nullptr;
  const Stack* found_stack = nullptr;
  const void* caller = nullptr;  // of the call that found it; nullptr: no call of the program's
};

// Reports it and does what was asked to follow. Any thread, any context; allocates nothing. It
// returns unless the process is to end.
void report(const Finding& finding);

// A fork's child has one thread: nobody is amid a report.
void free_reports_in_child();

// Ends the process by SIGABRT, as harden_after wants it.
[[noreturn]] void end_by_abort();

// Writes what could not be written before. By a thread of the program.
void report_pending();

// How many have been reported.
uint64_t reported();

}  // namespace mmt::harden
