#pragma once
// Writes a trace file (docs/trace_format.md). One thread may use it. What was written before the
// process died is a trace that ends early.
#include <cstdint>
#include <memory>
#include <string>

#include "tracefile/event.h"

namespace mmt::tracefile {

struct Header {
  std::string program;    // the command line, for people
  std::string source;     // what recorded it: "mmt trace", "import mtrace", ...
  uint64_t start_ns = 0;  // since the epoch
  uint32_t process = 0;
};

class Writer {
 public:
  // Throws std::runtime_error that names the file and what is wrong with it; as add() and finish(),
  // which do so again ever after. A regular file is closed between blocks.
  Writer(const std::string& path, const Header& header);
  Writer(Writer&&) noexcept;
  ~Writer();  // what was added is lost where finish() was not called, but for whole frames

  // Checks nothing: kAllocate's object is the next one, others name live ones. `ns`: time since
  // start_ns, kept for a frame as a whole.
  void add(const Event& event, uint64_t ns = 0);
  // The number for Event::site of a call site with this text, from 1; each call gives another.
  uint32_t add_site(const std::string& text);
  void finish();
  uint64_t events() const;
  uint64_t objects() const;  // born so far
  uint64_t bytes() const;    // of the file, by what is written so far

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace mmt::tracefile
