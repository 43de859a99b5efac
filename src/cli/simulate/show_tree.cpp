// `--tree`: what a model has free before an event, and where that event looks.
#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/simulate/replaying.h"
#include "cli/simulate/seen_chunks.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "sim/metrics/touches.h"
#include "sim/replay/replay.h"

namespace mmt::cli {

using command::Failure;
using command::json_text;
using command::kUsage;
using command::show;

namespace {

using Json = nlohmann::ordered_json;
using sim::Address;
using sim::SeenNode;

constexpr size_t kMostShown = 600;  // nodes beside those of the path
constexpr size_t kMostOfPath = 500;

using Place = SeenChunks::Place;

// Chunks in the order in which the event looked at them, each once.
std::vector<Place> path_through(const SeenChunks& chunks, const std::vector<uint64_t>& touched) {
  std::vector<Place> path;
  std::vector<bool> is_seen(chunks.size());
  Place last = SeenChunks::kNowhere;
  for (const uint64_t at : touched) {
    // The fields of a node are touched one after the other.
    if (last != SeenChunks::kNowhere && chunks.holds(last, at)) continue;
    last = chunks.containing(at);
    if (last == SeenChunks::kNowhere || is_seen[last]) continue;
    is_seen[last] = true;
    path.push_back(last);
  }
  return path;
}

// Those that are no other's child.
std::deque<Place> roots_of(const SeenChunks& chunks) {
  std::vector<bool> is_child(chunks.size());
  for (Place one = 0; one < chunks.size(); ++one) {
    for (const Address child : {chunks[one].left, chunks[one].right}) {
      if (const Place place = chunks.find(child); place != SeenChunks::kNowhere) {
        is_child[place] = true;
      }
    }
  }
  std::deque<Place> roots;
  for (Place one = 0; one < chunks.size(); ++one) {
    if (!is_child[one]) roots.push_back(one);
  }
  return roots;
}

// Level by level from the roots, as many as are to be shown; and the path with its nodes' children.
std::set<Place> shown_of(const SeenChunks& chunks, const std::vector<Place>& path) {
  std::set<Place> shown;
  std::deque<Place> next = roots_of(chunks);
  while (!next.empty() && shown.size() < kMostShown) {
    const Place one = next.front();
    next.pop_front();
    if (!shown.insert(one).second) continue;
    for (const Address child : {chunks[one].left, chunks[one].right}) {
      if (const Place place = chunks.find(child); place != SeenChunks::kNowhere) {
        next.push_back(place);
      }
    }
  }
  for (const Place one : path) {
    shown.insert(one);
    for (const Address child : {chunks[one].left, chunks[one].right}) {
      if (const Place place = chunks.find(child); place != SeenChunks::kNowhere) {
        shown.insert(place);
      }
    }
  }
  return shown;
}

Json event_json(const sim::RowEvent& event) {
  static constexpr const char* kNames[] = {"allocate", "free", "resize", "nothing"};
  return {{"kind", kNames[static_cast<size_t>(event.op)]}, {"bytes", event.bytes}};
}

Json tree_of(const NamedReplayModel& model, const ReplayRequest& request, const SeenChunks& chunks,
             const sim::RowEvent& event, const sim::Touches& touches) {
  std::vector<Place> path = path_through(chunks, touches.path());
  const size_t looked_at = path.size();
  path.resize(std::min(looked_at, kMostOfPath));
  Json shown = Json::array();
  for (const Place place : shown_of(chunks, path)) {
    const SeenNode& one = chunks[place];
    shown.push_back(
        {{"at", one.at}, {"bytes", one.bytes}, {"left", one.left}, {"right", one.right}});
  }
  Json searched = Json::array();
  for (const Place place : path) searched.push_back(chunks[place].at);
  return {{"trace", request.trace},
          {"allocator", model.name},
          {"tree",
           {{"event", *request.tree_at},
            {"does", event_json(event)},
            {"free_chunks", chunks.size()},
            {"looked_at", looked_at},
            {"path", std::move(searched)},
            {"nodes", std::move(shown)}}}};
}

// As a list, in its order, where the model tells no links.
std::vector<SeenNode> nodes_of(const sim::Model& model) {
  std::vector<SeenNode> nodes = model.nodes();
  if (!nodes.empty()) return nodes;
  model.for_each_free([&](sim::FreeChunk chunk) { nodes.push_back({chunk.at, chunk.bytes}); });
  for (size_t i = 0; i + 1 < nodes.size(); ++i) nodes[i].right = nodes[i + 1].at;
  return nodes;
}

void show_of(const NamedReplayModel& model, const ReplayRequest& request) {
  sim::Replay replay(*model.model);
  sim::Touches touches;
  sim::ObjectRows rows;
  std::vector<sim::RowEvent> events;
  uint64_t done = 0;
  const std::unique_ptr<sim::EventSource> source = open_source(request);
  bool is_shown = false;
  for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
    rows.translate(part, events);
    const std::span<const sim::RowEvent> all(events);
    if (done + all.size() <= *request.tree_at) {
      replay.run(all);
      done += all.size();
      return true;
    }
    const size_t before = *request.tree_at - done;
    replay.run(all.first(before));
    const SeenChunks chunks(nodes_of(*model.model));
    touches.keep_path(true);
    replay.count_touches(&touches);
    replay.run(all.subspan(before, 1));
    const Json json = tree_of(model, request, chunks, all[before], touches);
    show(json_text(json));
    is_shown = true;
    return false;
  });
  if (is_shown) return;
  throw Failure(kUsage, fmt::format("--tree {}: trace '{}' has {} events", *request.tree_at,
                                    request.trace, done));
}

}  // namespace

void show_tree(const ReplayRequest& request) {
  for (const NamedReplayModel& one : make_models(request)) show_of(one, request);
}

}  // namespace mmt::cli
