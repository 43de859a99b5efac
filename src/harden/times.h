#pragma once
// Times in eight bits, for a block's tail. A tick is a millisecond at first; from the sixteenth on
// it is an eighth of the time's order of magnitude (a power of two). So a tick that was kept tells
// since when at most, and is wrong by an eighth of the process's age. Ticks last for half a year.
//
// Slow paths and the memory thread look at the clock, fast paths take what was seen there last.
#include <bit>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::harden {

using Tick = uint8_t;

// Times are in milliseconds since the heap began.
constexpr Tick tick_at(uint64_t ms) {
  if (ms < 8) return static_cast<Tick>(ms);
  const auto doubled = static_cast<unsigned>(std::bit_width(ms)) - 4;
  const uint64_t tick = 8 * uint64_t{doubled} + (ms >> doubled);
  return tick < 255 ? static_cast<Tick>(tick) : Tick{255};
}
// When the tick began.
constexpr uint64_t begin_of(Tick tick) {
  return tick < 8 ? tick : (8 + uint64_t{tick} % 8) << (tick / 8 - 1);
}

// The tick that was seen last. A word, as it becomes part of one.
extern uint64_t now_seen;
// By what begins first.
void begin_times();
uint64_t ms_now();
// What it returns, too.
MMT_COLD uint64_t see_time();

}  // namespace mmt::harden
