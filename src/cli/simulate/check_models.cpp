// `--check`: models held to their invariants, and a trace that breaks one made small.
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/simulate/replaying.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "command/text_file.h"
#include "sim/check/checker.h"
#include "sim/check/violation.h"
#include "sim/models/factory.h"

namespace mmt::cli {

using command::json_text;
using command::show;
using command::tell;
using command::write_text_file;

namespace {

using Json = nlohmann::ordered_json;

void write_shrunk(const ReplayRequest& request, const sim::Spec& spec, sim::Events events) {
  const sim::Events small =
      sim::shrunk_violation(std::move(events), [&] { return sim::make_model(spec); });
  write_text_file(request.shrunk, sim::as_rep(small));
  tell(fmt::format("a trace of {} events that breaks it is in '{}'", small.size(), request.shrunk));
}

// The first `count` events of the slice, in memory.
sim::Events events_of(const ReplayRequest& request, uint64_t count) {
  const std::unique_ptr<sim::EventSource> source = open_source(request);
  sim::Events out;
  for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
    const size_t wanted = std::min<uint64_t>(part.size(), count - out.size());
    out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(wanted));
    return out.size() < count;
  });
  return out;
}

// Checks only what comes before the damage where the trace is damaged.
bool check(const ReplayRequest& request, NamedReplayModel& one, std::optional<Damage>& damage) {
  const std::unique_ptr<sim::EventSource> source = open_source(request);
  sim::Replay replay(*one.model);
  sim::Checker checker(*one.model, request.check_every);
  replay.add_observer(&checker);
  replay.add_watcher(&checker);
  sim::ObjectRows rows;
  std::vector<sim::RowEvent> events;
  try {
    for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
      rows.translate(part, events);
      replay.run(events);
      return true;
    });
  } catch (const sim::Broken& broken) {
    tell(fmt::format("trace '{}', allocator {}, event {}: {}", request.trace, one.name,
                     broken.event(), broken.what()));
    if (!request.shrunk.empty()) {
      write_shrunk(request, one.spec, events_of(request, broken.event() + 1));
    }
    return false;
  } catch (const Damage& found) {
    if (found.read() == 0) throw;
    damage = found;
  }
  Json json{
      {"trace", request.trace}, {"allocator", one.name}, {"checked", replay.metrics().events}};
  if (damage) json["damaged_after"] = damage->after();
  show(json_text(json));
  return true;
}

}  // namespace

bool check_models(const ReplayRequest& request) {
  bool are_right = true;
  std::optional<Damage> damage;
  for (NamedReplayModel& one : make_models(request)) {
    if (!check(request, one, damage)) are_right = false;
  }
  if (damage) throw *damage;
  return are_right;
}

}  // namespace mmt::cli
