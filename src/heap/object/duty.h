#pragma once
// A Duty is what the memory thread is for. The thread serves: it takes surplus back, makes memory
// resident ahead, and gives free memory back. A thread that works would take the CPU from the
// program where there is one usable CPU, or a tight quota. There the thread only keeps house: it
// gives free memory back.
#include <cstdint>

namespace mmt::heap {

enum class Duty : uint8_t { kServe, kKeepHouse };

struct Orders {
  Duty most;            // it may do less
  bool watches_groups;  // its control groups limit tasks: see following.h
};

}  // namespace mmt::heap
