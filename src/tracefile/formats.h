#pragma once
// What can be read as a trace besides MMT's own files: see import/import.h. Any thread.
#include <array>
#include <cstddef>
#include <string>

namespace mmt::tracefile {

inline constexpr std::array kForeignFormats{"mtrace", "heaptrack", "rep", "memory_replay"};

// Behind what says that a file is no trace.
inline std::string what_is_read() {
  std::string text = "MMT reads its own traces, and those of ";
  for (size_t i = 0; i < kForeignFormats.size(); ++i) {
    if (i != 0) text += i + 1 == kForeignFormats.size() ? " and " : ", ";
    text += kForeignFormats[i];
  }
  return text + " ('mmt trace --import')";
}

}  // namespace mmt::tracefile
