// What a count beside the expected one means.
#pragma once

#include <cstdint>
#include <string>

#include "stm/stamp/table5.h"

namespace mmt::workloads::stm {

// Said where a count is zero in the paper and here, which shows nothing.
inline constexpr const char* kNothing = "none, as in the paper: no evidence";

struct Verdict {
  const char* words;
  bool fails = false;
  bool known = false;  // it fails as is known: docs/known_gaps.md says why
};

// By how much each count of the row that has no oracle is off: " <= 16 +3, bytes -40"; empty:
// all are the paper's.
inline std::string differences(const Row& row, const uint64_t (&values)[kColumns]) {
  std::string all;
  for (size_t column = 0; column < kColumns; ++column) {
    const uint64_t expected = row.expected[column];
    const Kind kind = row.kind_of(column);
    if (kind != Kind::kCompared && kind != Kind::kRecorded) continue;
    if (values[column] == expected) continue;
    all += all.empty() ? " " : ", ";
    all += kColumnNames[column];
    all += values[column] > expected ? " +" + std::to_string(values[column] - expected)
                                     : " -" + std::to_string(expected - values[column]);
  }
  return all;
}

// `ours` is what was recorded: it matters where that is no oracle.
constexpr Verdict judge(uint64_t value, uint64_t expected, Kind kind, uint64_t ours = 0) {
  const bool same = value == expected;
  const uint64_t off = value > expected ? value - expected : expected - value;
  switch (kind) {
    case Kind::kNear:
      if (off <= expected / 5) return {"holds: near enough"};
      break;
    case Kind::kCompared:  // differences() tells them
      return {"compared"};
    case Kind::kRecorded:
      if (value == ours) return {"as recorded"};
      return {"DIFFERS from what is recorded", true};
    case Kind::kKnown:
      if (same) return {"holds"};
      if (value == ours) return {"DIFFERS (known)", true, true};
      return {"DIFFERS, not as is known", true};
    case Kind::kFitted:
      if (same && expected == 0) return {kNothing};
      if (same) return {"holds (fitted input)"};
      return {"DIFFERS (fitted input)", true};
    case Kind::kOracle:
      break;
  }
  if (same && expected == 0) return {kNothing};
  if (same) return {"holds"};
  return {"DIFFERS", true};
}

}  // namespace mmt::workloads::stm
