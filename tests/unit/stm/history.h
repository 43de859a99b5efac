// What random transactions did, attempt by attempt, and whether it is opaque: each attempt, those
// that were aborted included, saw what memory held at one instant, the committed ones took place at
// their instants, and no instant lies outside the attempt's duration.
//
// Every value is written once, so a value tells who wrote it. Whoever writes a variable has read it
// in the same attempt, so the reads tell which value follows which. With these two, opacity is the
// absence of circles among the attempts: a writer comes before its readers, a reader before whoever
// wrote the next value, an attempt that ended before those that began later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mmt::stm {

// The value of each variable before all transactions.
inline constexpr uint64_t kInitial = 0;

struct Access {
  uint32_t variable;
  uint64_t value;
};
struct Attempt {
  uint64_t began = 0;  // moments; no two are the same
  uint64_t ended = 0;
  bool committed = false;
  std::vector<Access> reads;   // of what others wrote; of each variable the first read, and any
                               // later one that found another value
  std::vector<Access> writes;  // the last of each variable
};

// Empty, or what is wrong.
std::string violation_of(const std::vector<Attempt>& history);

}  // namespace mmt::stm
