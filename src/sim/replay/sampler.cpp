#include "sim/replay/sampler.h"

#include <algorithm>

namespace mmt::sim {

Sampler::Sampler(const Replay& replay, unsigned most, unsigned rows, uint64_t events)
    : replay_(replay),
      most_(std::max(most, 2U)),
      rows_(rows),
      apart_(std::max<uint64_t>(events / most_, 1)) {}

void Sampler::finish() {
  const uint64_t events = replay_.metrics().events;
  if (events == 0) return;
  if (samples_.empty() || samples_.back().event != events - 1) take(events - 1);
}

void Sampler::take(uint64_t event) {
  if (samples_.size() == most_) thin();
  const Model& model = replay_.model();
  Sample sample{event,
                model.end(),
                replay_.live_bytes(),
                model.free_bytes(),
                model.free_chunks(),
                model.largest_free(),
                {}};
  if (rows_ != 0) {
    fit_rows();
    draw(sample);
  }
  samples_.push_back(std::move(sample));
}

void Sampler::thin() {
  size_t kept = 0;
  for (size_t i = 0; i < samples_.size(); i += 2) samples_[kept++] = std::move(samples_[i]);
  samples_.resize(kept);
  apart_ *= 2;
}

void Sampler::fit_rows() {
  while (replay_.model().end() > row_bytes_ * rows_) {
    row_bytes_ *= 2;
    for (Sample& sample : samples_) {
      std::vector<uint8_t>& rows = sample.rows;
      const size_t half = (rows.size() + 1) / 2;
      for (size_t i = 0; i < half; ++i) {
        const unsigned low = rows[2 * i];
        const unsigned high = 2 * i + 1 < rows.size() ? rows[2 * i + 1] : low;
        rows[i] = static_cast<uint8_t>((low + high) / 2);
      }
      rows.resize(half);
    }
  }
}

void Sampler::draw(Sample& sample) const {
  const uint64_t end = sample.end;
  const size_t count = (end + row_bytes_ - 1) / row_bytes_;
  std::vector<uint64_t> free(count);
  replay_.model().for_each_free([&](FreeChunk chunk) {
    Address at = chunk.at;
    const Address behind = chunk.at + chunk.bytes;
    while (at < behind) {
      const size_t row = at / row_bytes_;
      const Address next = std::min<Address>(behind, (row + 1) * row_bytes_);
      free[row] += next - at;
      at = next;
    }
  });
  sample.rows.resize(count);
  for (size_t row = 0; row < count; ++row) {
    const uint64_t bytes = std::min(row_bytes_, end - row * row_bytes_);
    sample.rows[row] = static_cast<uint8_t>((bytes - free[row]) * 255 / bytes);
  }
}

}  // namespace mmt::sim
