// Holds a model to all that must be true at each event. What it gives out lies within its heap, is
// aligned, and overlaps nothing that is live or free. Bytes are conserved, counts are right, and
// the policy's own invariants hold. One thread; an event costs as much as there are chunks.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/replay/replay.h"

namespace mmt::sim {

// What does not hold, after which event.
class Broken : public std::runtime_error {
 public:
  Broken(uint64_t event, const std::string& what) : std::runtime_error(what), event_(event) {}
  uint64_t event() const { return event_; }

 private:
  uint64_t event_;
};

class Checker final : public Observer, public Watcher {
 public:
  // Everything is looked at behind each `every`th event; what an event itself changes, at each.
  explicit Checker(const Model& model, uint64_t every = 1) : model_(model), every_(every) {}

  // Throw Broken.
  void allocated(uint64_t event, Row row, const Placed& placed) override;
  void freed(uint64_t event, Row row, const Placed& placed) override;
  void resized(uint64_t event, Row row, const Placed& before, const Placed& now) override;
  uint64_t stepped(uint64_t event) override;

 private:
  struct Block {
    Address end = 0;  // of the chunk
    uint64_t asked = 0;
  };

  void add(uint64_t event, const Placed& placed);
  void remove(uint64_t event, const Placed& placed);
  void check_free_chunks(uint64_t event) const;
  void check_conserved(uint64_t event, uint64_t free_bytes) const;
  void check_live(uint64_t event) const;

  const Model& model_;
  uint64_t every_;
  std::map<Address, Block> live_;  // by where the chunk begins
  uint64_t live_bytes_ = 0;        // of chunks
};

}  // namespace mmt::sim
