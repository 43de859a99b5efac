#pragma once
// What a trace tells: what a program asked of its allocator, in an order in which it may have
// happened. Objects are numbered by birth, so a trace holds no addresses.
#include <cstdint>

namespace mmt::tracefile {

// No allocator gives more, as no model: PTRDIFF_MAX less a MiB. Others ask for it in vain.
inline constexpr uint64_t kMostBytes = INT64_MAX - (uint64_t{1} << 20);

// Objects that one event names. 0 is none: numbers start at 1, and go up by one at each kAllocate.
using Object = uint64_t;

enum class Kind : uint8_t {
  kAllocate,     // object, bytes, alignment, zeroed
  kFree,         // object: its life ends
  kResize,       // object, bytes: realloc, wherever it lies then; its number stays
  kThreadStart,  // thread
  kThreadEnd,    // thread
  kPhase,        // bytes: a number that the program or the recorder gives
};

struct Event {
  Kind kind = Kind::kAllocate;
  bool zeroed = false;    // calloc
  uint8_t alignment = 0;  // log2 of what was asked for; 0: malloc's
  uint32_t thread = 0;    // numbered by first event, from 0
  uint32_t site = 0;      // call site, 0 where none was recorded (reader's table)
  Object object = 0;
  uint64_t bytes = 0;  // as asked for
};

}  // namespace mmt::tracefile
