// Curves and the heap map: looks at a model at some events, about equally far apart. Where a trace
// is longer than was known, every other sample is forgotten when there are too many. From then on
// samples are twice as far apart. The same holds for the rows of the map: they become twice as high
// when the heap outgrows them. One thread may use it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/replay/replay.h"

namespace mmt::sim {

struct Sample {
  uint64_t event = 0;
  uint64_t end = 0;   // bytes of the heap
  uint64_t live = 0;  // bytes, as asked for
  uint64_t free = 0;  // bytes
  uint64_t free_chunks = 0;
  uint64_t largest_free = 0;
  // Share of each row of the map that is no free chunk, in 255ths; rows beyond the heap are left
  // out. Empty where there is no map.
  std::vector<uint8_t> rows;
};

class Sampler final : public Watcher {
 public:
  // Keeps from `most` / 2 to `most` samples of a trace that has so many events or more. `rows`: of
  // the map, a power of two; 0: no map.
  Sampler(const Replay& replay, unsigned most, unsigned rows, uint64_t events = 0);

  uint64_t stepped(uint64_t event) override {
    take(event);
    return event + apart_;
  }

  // Samples a last time, where the trace ends.
  void finish();

  const std::vector<Sample>& samples() const { return samples_; }
  // Bytes of the heap that a row of the map stands for.
  uint64_t row_bytes() const { return row_bytes_; }

 private:
  void take(uint64_t event);
  void thin();
  void fit_rows();
  void draw(Sample& sample) const;

  const Replay& replay_;
  unsigned most_;
  unsigned rows_;
  uint64_t row_bytes_ = 4096;
  uint64_t apart_;
  std::vector<Sample> samples_;
};

}  // namespace mmt::sim
