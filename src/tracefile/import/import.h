#pragma once
// Traces of other tools, turned into trace files.
//
//   mtrace         text of glibc's mtrace()
//   heaptrack      of heaptrack: raw, or as it stores it; plain, .gz or .zst
//   rep            of malloc labs: `a id bytes`, `r id bytes`, `f id`
//   memory_replay  text of Android: `tid: malloc ptr size`
#include <cstdint>
#include <string>
#include <vector>

namespace mmt::tracefile {

const std::vector<std::string>& import_formats();

struct Imported {
  uint64_t events = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;    // of the trace file
  uint64_t unknown = 0;  // frees and resizes of blocks that the input never allocated
  uint64_t unfreed = 0;  // blocks given out anew without a free; the trace has one there
};

// Throws std::runtime_error that names the file, the line and what is wrong there, also where
// memory is out. What stands before that line is in the trace. There is no trace where that is
// nothing.
Imported import_trace(const std::string& format, const std::string& from, const std::string& to);

}  // namespace mmt::tracefile
