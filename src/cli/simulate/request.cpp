#include "cli/simulate/request.h"

#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "command/did_you_mean.h"
#include "command/failure.h"
#include "command/free_memory.h"
#include "sim/models/factory.h"
#include "sim/models/model_space.h"
#include "sim/replay/sized_source.h"
#include "sim/replay/trace_file.h"
#include "tracefile/memory_bound.h"

namespace mmt::cli {

using command::address_space_left;
using command::did_you_mean;
using command::Failure;
using command::kFailed;
using command::kUsage;

namespace {

// Counts the events of the whole trace, before its end or its damage.
uint64_t readable_events(const std::string& trace) {
  const std::unique_ptr<sim::EventSource> source = sim::open_trace(trace);
  uint64_t events = 0;
  try {
    for (auto part = source->next(); !part.empty(); part = source->next()) events += part.size();
  } catch (const std::runtime_error&) {  // told where it was met first
  }
  return events;
}

}  // namespace

std::unique_ptr<sim::EventSource> open_source(const ReplayRequest& request) {
  std::unique_ptr<sim::EventSource> whole;
  try {
    whole = sim::open_trace(request.trace);
  } catch (const std::runtime_error& error) {
    throw Failure(kFailed, error.what());
  }
  if (request.first != 0 || request.events != ReplayRequest().events) {
    whole = std::make_unique<sim::EventSlice>(std::move(whole), request.first,
                                              request.first + request.events);
  }
  if (request.mean_request == 0) return whole;
  try {
    return std::make_unique<sim::SizedSource>(std::move(whole), request.mean_request);
  } catch (const std::runtime_error& error) {
    throw Failure(kFailed, error.what());
  }
}

sim::Spec spec_of(const std::string& name) {
  try {
    return sim::parse_spec(name);
  } catch (const sim::SpecError& error) {
    throw Failure(kUsage, error.what() + did_you_mean(error.word(), error.known()));
  }
}

std::vector<NamedReplayModel> make_models(const ReplayRequest& request) {
  std::vector<NamedReplayModel> out;
  sim::ModelSpace::divide(address_space_left(), request.allocators.size());
  const auto searching = request.walks ? sim::Searching::kByWalk : sim::Searching::kByIndex;
  for (const std::string& name : request.allocators) {
    const sim::Spec spec = spec_of(name);
    out.push_back({sim::canonical(spec), spec, sim::make_model(spec, searching)});
  }
  return out;
}

void for_each_part(const ReplayRequest& request, sim::EventSource& source,
                   const std::function<bool(std::span<const tracefile::Event>)>& step) {
  uint64_t done = 0;
  const auto read_on = [&] {
    try {
      return source.next();
    } catch (const std::runtime_error& error) {
      const uint64_t after = done != 0 ? request.first + done : readable_events(request.trace);
      throw Damage(fmt::format("trace '{}' is damaged after event {}: {}", request.trace, after,
                               error.what()),
                   after, done);
    }
  };
  try {
    source.rewind();
    for (auto part = read_on(); !part.empty(); part = read_on()) {
      done += part.size();
      if (!step(part)) return;
    }
  } catch (const std::bad_alloc&) {
    tracefile::NowReading::at(request.trace, "event", request.first + done);
    throw;
  }
  if (done != 0 || request.first == 0) return;
  throw Failure(kFailed, fmt::format("trace '{}' has only {} events: none from {} on",
                                     request.trace, readable_events(request.trace), request.first));
}

}  // namespace mmt::cli
