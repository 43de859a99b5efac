// Sum, number and maximum of values, and the event that had the first maximum. One thread may use
// it.
#pragma once

#include <cstdint>

namespace mmt::sim {

struct Tally {
  uint64_t count = 0;
  uint64_t sum = 0;
  uint64_t max = 0;
  uint64_t max_event = 0;

  void add(uint64_t value, uint64_t event) {
    ++count;
    sum += value;
    if (value > max) {
      max = value;
      max_event = event;
    }
  }
  double mean() const {
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
  }
};

}  // namespace mmt::sim
