// What constraints are between: a value, and what the solver knows about who determines it.
#pragma once

#include <cstdint>

#include "deltablue/list.h"

namespace mmt::workloads::classic::deltablue {

class Constraint;

// The stronger, the smaller.
enum class Strength : uint8_t {
  kRequired,
  kStrongPreferred,
  kPreferred,
  kStrongDefault,
  kNormal,
  kWeakDefault,
  kWeakest,
};

inline bool is_stronger(Strength a, Strength b) { return a < b; }
inline Strength weaker_of(Strength a, Strength b) { return a < b ? b : a; }

struct Variable {
  explicit Variable(int64_t from) : value(from) {}

  int64_t value;
  List<Constraint> constraints;         // all that mention it
  Constraint* determined_by = nullptr;  // nullptr: none
  uint64_t mark = 0;
  Strength walkabout =
      Strength::kWeakest;  // of the weakest constraint that could be given up for it
  bool stays = true;       // no edit changes it: a constant as far as plans go
};

}  // namespace mmt::workloads::classic::deltablue
