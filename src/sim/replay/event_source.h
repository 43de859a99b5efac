// Where a replay's events come from: a trace file from its start, as often as it is wanted. One
// thread may use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracefile/event.h"

namespace mmt::sim {

class EventSource {
 public:
  virtual ~EventSource() = default;
  // Some more, which stay until the next call; empty: the end. Throws std::runtime_error.
  virtual std::span<const tracefile::Event> next() = 0;
  virtual void rewind() = 0;
  // The number of its events, where it is known without reading all.
  virtual std::optional<uint64_t> count() const { return std::nullopt; }
};

// Events in memory.
class EventList final : public EventSource {
 public:
  explicit EventList(std::vector<tracefile::Event> events) : events_(std::move(events)) {}

  std::span<const tracefile::Event> next() override {
    const std::span<const tracefile::Event> rest(events_);
    const auto part = rest.subspan(at_, std::min(kPart, rest.size() - at_));
    at_ += part.size();
    return part;
  }
  void rewind() override { at_ = 0; }
  std::optional<uint64_t> count() const override { return events_.size(); }
  const std::vector<tracefile::Event>& events() const { return events_; }

 private:
  static constexpr size_t kPart = 8192;
  std::vector<tracefile::Event> events_;
  size_t at_ = 0;
};

// The events numbered from `first` on, before `end`. Frees of what lived before are in it, and name
// objects that the slice does not know.
class EventSlice final : public EventSource {
 public:
  EventSlice(std::unique_ptr<EventSource> whole, uint64_t first, uint64_t end)
      : whole_(std::move(whole)), first_(first), end_(end) {}

  std::span<const tracefile::Event> next() override;
  void rewind() override;
  std::optional<uint64_t> count() const override {
    const std::optional<uint64_t> all = whole_->count();
    if (!all) return std::nullopt;
    return std::min(*all, end_) - std::min(*all, first_);
  }

 private:
  std::unique_ptr<EventSource> whole_;
  uint64_t first_;
  uint64_t end_;
  uint64_t at_ = 0;
};

}  // namespace mmt::sim
