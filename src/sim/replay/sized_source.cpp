#include "sim/replay/sized_source.h"

#include <algorithm>
#include <cmath>

namespace mmt::sim {

using tracefile::Event;
using tracefile::Kind;

SizedSource::SizedSource(std::unique_ptr<EventSource> source, uint64_t mean)
    : source_(std::move(source)) {
  double bytes = 0;
  uint64_t allocations = 0;
  for (auto part = source_->next(); !part.empty(); part = source_->next()) {
    for (const Event& one : part) {
      if (one.kind != Kind::kAllocate) continue;
      bytes += static_cast<double>(one.bytes);
      ++allocations;
    }
  }
  source_->rewind();
  if (bytes != 0) factor_ = static_cast<double>(mean) * static_cast<double>(allocations) / bytes;
}

std::span<const Event> SizedSource::next() {
  const std::span<const Event> part = source_->next();
  part_.assign(part.begin(), part.end());
  for (Event& one : part_) {
    if (one.kind == Kind::kAllocate || one.kind == Kind::kResize) one.bytes = sized(one.bytes);
  }
  return part_;
}

uint64_t SizedSource::sized(uint64_t bytes) const {
  if (bytes == 0) return 0;
  constexpr double kMost = 9.0e18;  // what fits
  const double wanted = std::min(std::round(static_cast<double>(bytes) * factor_), kMost);
  return std::max<uint64_t>(static_cast<uint64_t>(wanted), 1);
}

}  // namespace mmt::sim
