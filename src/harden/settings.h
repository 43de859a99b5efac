#pragma once
// What is checked, and what follows a report: from the options, once, before the first block.
#include <cstdint>

#include "interprocess/heap_options.h"

namespace mmt::harden {

enum class After : uint8_t { kAbort, kExit, kCount };

struct Settings {
  bool is_read;
  // All checks are on, and freed memory is zeroed: what the fast paths do.
  bool is_standard;
  bool is_sync;
  // What a block's left neighbour tells is looked at as the block is freed.
  bool looks_left;
  // Not in a fork's child whose parent had threads: their blocks were copied amid what they did.
  bool trusts_others;
  bool checks_bounds;
  bool checks_types;
  bool checks_sizes;
  bool checks_freed;  // what is written to freed blocks
  bool quarantines;
  bool fills;
  bool seals;              // the heap's tables
  bool keeps_stacks;       // whole ones, of all allocations and frees
  uint8_t freed_byte;      // what freed bytes are filled with
  uint8_t allocated_byte;  // and new ones
  After after;
  const char* report_path;  // nullptr: stderr
};

extern Settings settings;

// A report ends the process. Whoever comes upon a fault that another thread tells of tells, too, so
// that the call at fault does not return meanwhile.
inline bool ends_at_once() { return settings.after == After::kAbort; }

void read_settings(const heap::Options& options);

}  // namespace mmt::harden
