#pragma once
// Where the blocks of a trace file lie. Written at its end; found by reading where that is missing.
#include <cstdint>
#include <string>
#include <vector>

#include "tracefile/frame.h"
#include "tracefile/varint.h"

namespace mmt::tracefile {

struct Index {
  struct Frame {
    uint64_t place = 0;  // of its block in the file
    FrameSummary summary;
  };
  std::vector<Frame> frames;
  std::vector<uint64_t> sites;  // places of the blocks of call sites
  uint64_t end = 0;             // of the blocks listed

  uint64_t events() const {
    return frames.empty() ? 0 : frames.back().summary.first_event + frames.back().summary.events;
  }
  uint64_t objects() const {
    return frames.empty() ? 0 : frames.back().summary.newest_before + frames.back().summary.births;
  }

  std::vector<uint8_t> content() const;
  // False: the content is none, or does not describe a file whose index lies at `end`.
  static bool from(const std::vector<uint8_t>& content, uint64_t end, Index& index);
  // What may follow the frames so far.
  bool is_next(const FrameSummary& summary) const;
};

}  // namespace mmt::tracefile
