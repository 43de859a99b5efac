// What `mmt-replay-models` is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command/failure.h"
#include "sim/models/model.h"
#include "sim/replay/event_source.h"
#include "sim/spec/spec.h"

namespace mmt::cli {

struct ReplayRequest {
  std::string trace;
  std::vector<std::string> allocators;
  uint64_t first = 0;                // the slice of the trace
  uint64_t events = UINT64_MAX / 2;  // in it
  uint64_t mean_request = 0;         // bytes, to which sizes are multiplied; 0: as they are
  bool describes = false;
  bool walks = false;  // long lists, too, instead of an index
  bool counts_touches = false;
  bool counts_resident = false;
  unsigned samples = 64;
  bool shows_series = false;
  unsigned map_rows = 0;
  std::optional<uint64_t> tree_at;
  bool finds_partings = false;
  bool finds_bounds = false;
  uint64_t align = 16;       // of the bounds
  uint64_t check_every = 0;  // 0: no checks
  std::string shrunk;        // where the smallest trace that fails goes
  std::string addresses;     // a file for the addresses of a single model
  std::string flat;          // a file for the replay by real allocators
  bool tells_progress = false;
  std::string memory;  // that it may take; empty: by default
};

struct NamedReplayModel {
  std::string name;
  sim::Spec spec;
  std::unique_ptr<sim::Model> model;
};

// Throw a Failure that names what is wrong.
std::unique_ptr<sim::EventSource> open_source(const ReplayRequest& request);
sim::Spec spec_of(const std::string& name);
std::vector<NamedReplayModel> make_models(const ReplayRequest& request);

// The trace cannot be read on.
class Damage : public command::Failure {
 public:
  Damage(const std::string& text, uint64_t after, uint64_t read)
      : Failure(command::kFailed, text), after_(after), read_(read) {}
  uint64_t after() const { return after_; }  // so many events of the trace
  uint64_t read() const { return read_; }    // of them, those that were asked for

 private:
  uint64_t after_;
  uint64_t read_;
};

// Calls step(events) with the source's events, part by part, from its start. A Damage names the
// trace and the event behind which it is damaged. A Failure says that the trace ends before the
// slice, or behind which event memory was out.
void for_each_part(const ReplayRequest& request, sim::EventSource& source,
                   const std::function<bool(std::span<const tracefile::Event>)>& step);

}  // namespace mmt::cli
