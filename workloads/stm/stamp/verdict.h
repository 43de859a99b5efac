// What a count beside the expected one means.
#pragma once

#include <cstdint>

#include "stm/stamp/table5.h"

namespace mmt::workloads::stm {

struct Verdict {
  const char* words;
  bool fails = false;
  bool known = false;  // it differs, and docs/known_gaps.md says why
};

constexpr Verdict judge(uint64_t value, uint64_t expected, Kind kind) {
  const bool same = value == expected;
  const uint64_t off = value > expected ? value - expected : expected - value;
  switch (kind) {
    case Kind::kNear:
      if (off <= expected / 5) return {"holds: near enough"};
      break;
    case Kind::kCompared:
      return {same ? "same (no oracle)" : "differs (no oracle)"};
    case Kind::kKnown:
      if (!same) return {"differs (known)", false, true};
      break;
    case Kind::kFitted:
      if (same) return {"holds (fitted input)"};
      return {"DIFFERS (fitted input)", true};
    case Kind::kOracle:
      break;
  }
  if (same) return {"holds"};
  return {"DIFFERS", true};
}

}  // namespace mmt::workloads::stm
