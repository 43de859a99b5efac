// Gives the events of a source as if the program asked for more or less at a time. Sizes are
// multiplied so that the average request has so many bytes. Orders and lifetimes stay. It reads the
// source twice. One thread may use it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/replay/event_source.h"

namespace mmt::sim {

class SizedSource final : public EventSource {
 public:
  // `mean`: bytes of the average allocation, from 1. Throws std::runtime_error as the source does.
  SizedSource(std::unique_ptr<EventSource> source, uint64_t mean);

  std::span<const tracefile::Event> next() override;
  void rewind() override { source_->rewind(); }
  std::optional<uint64_t> count() const override { return source_->count(); }

 private:
  // Requests of none stay; others have a byte at least.
  uint64_t sized(uint64_t bytes) const;

  std::unique_ptr<EventSource> source_;
  double factor_ = 1;
  std::vector<tracefile::Event> part_;
};

}  // namespace mmt::sim
