// All models side by side through one trace, which is decoded once.
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/simulate/replaying.h"
#include "cli/simulate/result_json.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "sim/bounds/bounds.h"
#include "sim/metrics/touches.h"
#include "sim/replay/parting.h"
#include "sim/replay/replay.h"
#include "sim/replay/sampler.h"

namespace mmt::cli {

using command::json_text;
using command::show;

namespace {

void print(const Json& json) { show(json_text(json)); }

// One model on its way through the trace.
class Runner {
 public:
  Runner(NamedReplayModel model, const ReplayRequest& request, uint64_t events)
      : model_(std::move(model)),
        replay_(*model_.model),
        sampler_(replay_, request.samples, request.map_rows, events) {
    replay_.add_watcher(&sampler_);
    if (request.counts_touches || request.counts_resident) {
      using Kind = sim::Touches::Kind;
      touches_ = std::make_unique<sim::Touches>(request.counts_touches ? Kind::kOfEachOperation
                                                                       : Kind::kPagesEver);
      replay_.count_touches(touches_.get());
    }
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  sim::Replay& replay() { return replay_; }
  const std::string& name() const { return model_.name; }

  Json finish(const ReplayRequest& request) {
    sampler_.finish();
    Json json{{"trace", request.trace}, {"allocator", model_.name}};
    json.update(json_of(replay_.metrics(), *model_.model, sampler_, touches_.get()));
    if (request.shows_series) json["series"] = json_of_samples(sampler_);
    return json;
  }

 private:
  NamedReplayModel model_;
  sim::Replay replay_;
  sim::Sampler sampler_;
  std::unique_ptr<sim::Touches> touches_;
};

// A line at most four times a second.
class Progress {
 public:
  explicit Progress(bool is_told) : is_told_(is_told) {}

  void add(uint64_t events) {
    done_ += events;
    if (!is_told_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < std::chrono::milliseconds(250)) return;
    told_ = now;
    print({{"progress", done_}});
    std::fflush(stdout);
  }

 private:
  bool is_told_;
  uint64_t done_ = 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

Json json_of(const sim::Partings& partings, const std::vector<std::unique_ptr<Runner>>& runners) {
  Json all = Json::array();
  for (const sim::Parting& one : partings.found()) {
    all.push_back({{"one", runners[one.one]->name()},
                   {"other", runners[one.other]->name()},
                   {"event", one.event},
                   {"bytes", one.bytes},
                   {"at_one", one.at_one},
                   {"at_other", one.at_other}});
  }
  return all;
}

std::optional<Damage> damage_of(const ReplayRequest& request, sim::EventSource& source) {
  try {
    for_each_part(request, source, [](std::span<const tracefile::Event>) { return true; });
  } catch (const Damage& found) {
    return found;
  }
  return std::nullopt;
}

// Prints the bounds of the trace, or of what comes before a damage, which is known then.
void print_bounds(const ReplayRequest& request, std::unique_ptr<sim::EventSource> source,
                  std::optional<Damage>& damage) {
  const auto found = [&] {
    print({{"trace", request.trace},
           {"align", request.align},
           {"bounds", cli::json_of(sim::find_bounds(*source, request.align))}});
  };
  if (!damage) {
    try {
      return found();
    } catch (const std::runtime_error&) {
      damage = damage_of(request, *source);
      if (!damage) throw;
    }
  }
  source = std::make_unique<sim::EventSlice>(std::move(source), 0, damage->read());
  found();
}

}  // namespace

void replay_models(const ReplayRequest& request) {
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<sim::Replay*> replays;
  std::vector<NamedReplayModel> models = make_models(request);
  std::unique_ptr<sim::EventSource> source = open_source(request);
  for (NamedReplayModel& one : models) {
    const uint64_t events = source->count().value_or(0);
    runners.push_back(std::make_unique<Runner>(std::move(one), request, events));
    replays.push_back(&runners.back()->replay());
  }
  std::unique_ptr<sim::Partings> partings;
  if (request.finds_partings) partings = std::make_unique<sim::Partings>(replays);
  sim::ObjectRows rows;
  std::vector<sim::RowEvent> events;
  Progress progress(request.tells_progress);
  std::optional<Damage> damage;
  try {
    for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
      if (runners.empty()) return false;
      rows.translate(part, events);
      for (sim::Replay* one : replays) one->run(events);
      progress.add(part.size());
      if (partings == nullptr) return true;
      partings->compare();
      return !partings->are_all_found();
    });
  } catch (const Damage& found) {
    if (found.read() == 0) throw;
    damage = found;
  }
  if (partings != nullptr) {
    print({{"trace", request.trace}, {"partings", json_of(*partings, runners)}});
  } else {
    for (const auto& one : runners) {
      Json json = one->finish(request);
      if (damage) json["damaged_after"] = damage->after();
      print(json);
    }
  }
  if (request.finds_bounds) print_bounds(request, std::move(source), damage);
  if (damage) throw *damage;
}

}  // namespace mmt::cli
