#pragma once
// Reads a trace file (docs/trace_format.md), from the start or from any frame on. One thread may
// use it. Checks all it reads: numbers in order, frees of live objects alone, checksums.
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tracefile/event.h"
#include "tracefile/writer.h"

namespace mmt::tracefile {

class Reader {
 public:
  // Throws std::runtime_error that names the file, the place and what is wrong there. `name`: what
  // the file is called in errors; empty: its path.
  explicit Reader(const std::string& path, const std::string& name = "");
  ~Reader();

  const Header& header() const;
  // Both come from the index at the file's end, or are counted by reading where that is missing.
  uint64_t events() const;
  uint64_t objects() const;  // numbers given out, so that tables by number can be made

  // The next frame's events, which stay until the next call; empty: the end. Where the file is
  // damaged it throws, after all before the damage was given out.
  std::span<const Event> next();
  // When the first and last event of the frame that next() gave last were, since start_ns.
  uint64_t start_ns() const;
  uint64_t end_ns() const;
  // The frame that holds event `number` comes next. From there on, frees of objects that are no
  // longer live are not noticed.
  void seek(uint64_t number);
  // A call site's text; "" for 0, and where the file does not have it.
  std::string site(uint32_t number) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace mmt::tracefile
