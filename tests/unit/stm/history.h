// A history is what random transactions did, attempt by attempt. The function here tells whether a
// history is opaque. In an opaque one each attempt, those that were aborted included, saw what
// memory held at one instant. The committed ones took place at their instants, and no instant lies
// outside the attempt's duration.
//
// Every value is written once, so a value tells which attempt wrote it. An attempt that writes a
// variable has read it, so the reads tell which value follows which. With these two facts, opacity
// is the absence of circles among the attempts. A writer comes before its readers, and a reader
// before the writer of the next value. An attempt that ended comes before those that began later.
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
