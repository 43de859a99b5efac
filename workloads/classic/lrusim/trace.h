// Where addresses come from: a file, or a generator with a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/rng.h"

namespace mmt::workloads::classic::lrusim {

// A trace is text, one reference a line. A reference is an address in hexadecimal, with or without
// 0x. An optional word before the address says what the reference was. Traces of the Dinero format
// have this form: a label and an address. `#` begins a comment. A line that is none of this is bad
// input.
class TraceFile {
 public:
  // `-` is standard input.
  explicit TraceFile(std::string_view path);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // False after the last one.
  bool next(uint64_t* address);

 private:
  bool next_line(std::string_view* line);
  uint64_t parse(std::string_view word) const;

  char path_[256];
  int file_;
  size_t line_ = 0;
  size_t start_ = 0;
  size_t end_ = 0;
  bool at_end_ = false;
  char buffer_[65536];
};

// A program that grows: at regular intervals it touches a page for the first time. Otherwise it
// works on a small set that moves from time to time, sweeps over what it has, or jumps anywhere.
class Generator {
 public:
  struct Recipe {
    uint64_t references;
    uint64_t pages;  // At most `references`; all are touched.
    uint64_t page_bytes;
    uint64_t seed;
  };

  explicit Generator(const Recipe& recipe) : recipe_(recipe), rng_(recipe.seed) {}

  bool next(uint64_t* address);

 private:
  uint64_t pick_page();

  const Recipe recipe_;
  Rng rng_;
  uint64_t done_ = 0;
  uint64_t touched_ = 0;
  uint64_t set_start_ = 0;
  uint64_t set_size_ = 1;
  uint64_t sweep_ = 0;
};

}  // namespace mmt::workloads::classic::lrusim
