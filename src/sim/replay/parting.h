// Where models that replay the same trace first give an object different addresses. One thread may
// use it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/replay/replay.h"

namespace mmt::sim {

struct Parting {
  size_t one = 0;  // places of the two models
  size_t other = 0;
  uint64_t event = 0;
  uint64_t bytes = 0;
  // Distances from where each model's first block lies.
  Address at_one = 0;
  Address at_other = 0;
};

class Partings {
 public:
  // The models' replays, which live longer than this.
  explicit Partings(std::vector<Replay*> replays);

  // Behind each part of the trace that all models have replayed.
  void compare();

  // Pairs that have parted, in the order in which they did.
  const std::vector<Parting>& found() const { return found_; }
  bool are_all_found() const { return open_.empty(); }

 private:
  struct Given {
    uint64_t event;
    uint64_t bytes;
    Address at;
  };
  class Recorder final : public Observer {
   public:
    explicit Recorder(Address first) : first_(first) {}
    void allocated(uint64_t event, Row, const Placed& placed) override { add(event, placed); }
    void freed(uint64_t, Row, const Placed&) override {}
    void resized(uint64_t event, Row, const Placed&, const Placed& now) override {
      add(event, now);
    }

    std::vector<Given> given;

   private:
    void add(uint64_t event, const Placed& placed) {
      given.push_back({event, placed.bytes, placed.at - first_});
    }
    Address first_;
  };

  std::vector<std::unique_ptr<Recorder>> recorders_;
  std::vector<std::pair<size_t, size_t>> open_;  // pairs that go together still
  std::vector<Parting> found_;
};

}  // namespace mmt::sim
