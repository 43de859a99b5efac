#pragma once
// What the memory thread is for. It serves: it takes surplus back, makes memory resident ahead, and
// gives free memory back. Where a thread that works would take the CPU from the program (one usable
// CPU, a tight quota), it only keeps house: it gives free memory back.
#include <cstdint>

namespace mmt::offload {

enum class Duty : uint8_t { kServe, kKeepHouse };

struct Orders {
  Duty most;            // it may do less
  bool watches_groups;  // its control groups limit tasks: see following.h
};

}  // namespace mmt::offload
