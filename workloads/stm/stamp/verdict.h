// What a count beside the expected one means.
#pragma once

#include <cstdint>
#include <string>

#include "stm/stamp/table5.h"

namespace mmt::workloads::stm {

struct Verdict {
  const char* words;
  bool fails = false;
  bool known = false;  // it differs, and docs/known_gaps.md says why
};

// By how much each count of the row that is only compared is off: " <= 16 +3, bytes -40"; empty:
// all are the paper's.
inline std::string differences(const Row& row, const uint64_t (&values)[kColumns]) {
  std::string all;
  for (size_t column = 0; column < kColumns; ++column) {
    const uint64_t expected = row.expected[column];
    if (row.kind_of(column) != Kind::kCompared || values[column] == expected) continue;
    all += all.empty() ? " " : ", ";
    all += kColumnNames[column];
    all += values[column] > expected ? " +" + std::to_string(values[column] - expected)
                                     : " -" + std::to_string(expected - values[column]);
  }
  return all;
}

constexpr Verdict judge(uint64_t value, uint64_t expected, Kind kind) {
  const bool same = value == expected;
  const uint64_t off = value > expected ? value - expected : expected - value;
  switch (kind) {
    case Kind::kNear:
      if (off <= expected / 5) return {"holds: near enough"};
      break;
    case Kind::kCompared:  // differences() tells them
      return {"compared"};
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
