// Drives one model through the events of a trace, and counts. Sizes are bytes. One thread may use
// it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/metrics/metrics.h"
#include "sim/models/model.h"
#include "sim/replay/object_rows.h"

namespace mmt::sim {

// What a model gave a live object.
struct Placed {
  Address base = kNone;  // the policy's block; kNone: it got none
  Address at = kNone;    // the object's, aligned as it was asked for
  uint64_t asked = 0;    // of the policy
  uint64_t bytes = 0;    // of the program
};

// Looks at the model behind some events. Events are numbered from 0.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // The next event behind which it is to be called; at first that is 0.
  virtual uint64_t stepped(uint64_t event) = 0;
};

// Sees what the model does for each event, once it is done.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void allocated(uint64_t event, Row row, const Placed& placed) = 0;
  virtual void freed(uint64_t event, Row row, const Placed& placed) = 0;
  // `before` is what it was.
  virtual void resized(uint64_t event, Row row, const Placed& before, const Placed& now) = 0;
};

class Replay {
 public:
  explicit Replay(Model& model) : model_(model) {}

  // The events that follow those before. Looks at the memory's bound on the way, as a policy may
  // write to a page at each. Throws tracefile::TooMuchMemory there, and what observers and watchers
  // throw.
  void run(std::span<const RowEvent> events);

  const Metrics& metrics() const { return metrics_; }
  const Model& model() const { return model_; }
  uint64_t live_bytes() const { return live_bytes_; }

  // What is added stays the caller's, and is there as long as events are run.
  void add_observer(Observer* observer) { observers_.push_back(observer); }
  void add_watcher(Watcher* watcher) { watchers_.push_back({watcher, event_}); }
  // Counts what is touched, too; nullptr: no longer.
  void count_touches(Touches* touches);

 private:
  void run_part(std::span<const RowEvent> events);
  void allocate(const RowEvent& event);
  void free(const RowEvent& event);
  void resize(const RowEvent& event);
  Placed place(uint64_t bytes, uint8_t alignment);
  void release(const Placed& placed);
  void begin();
  void end(const Placed& written);
  Waste waste_of(uint64_t bytes, uint64_t chunk) const;
  void account();
  void note_growth();
  void wake();

  Model& model_;
  Metrics metrics_;
  std::vector<Placed> objects_;  // by row
  struct Watching {
    Watcher* watcher;
    uint64_t next;
  };

  std::vector<Observer*> observers_;
  std::vector<Watching> watchers_;
  uint64_t wakes_at_ = 0;  // the next event of any watcher
  Touches* touches_ = nullptr;
  uint64_t event_ = 0;
  uint64_t live_bytes_ = 0;
  uint64_t live_chunks_bytes_ = 0;
};

}  // namespace mmt::sim
