// `--tree`: what a model has free before an event, and where that event looks.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/failure.h"
#include "cli/simulate/replaying.h"
#include "sim/metrics/touches.h"
#include "sim/replay/replay.h"

namespace mmt::cli {
namespace {

using Json = nlohmann::ordered_json;
using sim::Address;
using sim::SeenNode;

constexpr size_t kMostShown = 600;  // nodes beside those of the path
constexpr size_t kMostOfPath = 500;

// The free chunk that an address lies in; end(): none.
std::map<Address, SeenNode>::const_iterator chunk_at(const std::map<Address, SeenNode>& chunks,
                                                     Address at) {
  auto next = chunks.upper_bound(at);
  if (next == chunks.begin()) return chunks.end();
  --next;
  return at < next->first + next->second.bytes ? next : chunks.end();
}

// Chunks in the order in which the event looked at them, each once.
std::vector<Address> path_through(const std::map<Address, SeenNode>& chunks,
                                  const std::vector<uint64_t>& touched) {
  std::vector<Address> path;
  std::set<Address> seen;
  for (const uint64_t at : touched) {
    const auto chunk = chunk_at(chunks, at);
    if (chunk != chunks.end() && seen.insert(chunk->first).second) path.push_back(chunk->first);
  }
  return path;
}

// Level by level from the roots, as many as are to be shown; and the path with its nodes' children.
std::set<Address> shown_of(const std::map<Address, SeenNode>& chunks,
                           const std::vector<SeenNode>& nodes, const std::vector<Address>& path) {
  std::set<Address> shown;
  std::set<Address> children;
  for (const SeenNode& one : nodes) children.insert({one.left, one.right});
  std::deque<Address> next;
  for (const SeenNode& one : nodes) {
    if (!children.contains(one.at)) next.push_back(one.at);
  }
  while (!next.empty() && shown.size() < kMostShown) {
    const auto found = chunks.find(next.front());
    next.pop_front();
    if (found == chunks.end() || !shown.insert(found->first).second) continue;
    for (const Address child : {found->second.left, found->second.right}) {
      if (child != sim::kNone) next.push_back(child);
    }
  }
  for (const Address at : path) {
    const SeenNode& node = chunks.at(at);
    for (const Address one : {at, node.left, node.right}) {
      if (chunks.contains(one)) shown.insert(one);
    }
  }
  return shown;
}

Json event_json(const sim::SlotEvent& event) {
  static constexpr const char* kNames[] = {"allocate", "free", "resize", "nothing"};
  return {{"kind", kNames[static_cast<size_t>(event.op)]}, {"bytes", event.bytes}};
}

Json tree_of(const NamedReplayModel& model, const ReplayRequest& request,
             const std::vector<SeenNode>& nodes, const sim::SlotEvent& event,
             const sim::Touches& touches) {
  std::map<Address, SeenNode> chunks;
  for (const SeenNode& one : nodes) chunks[one.at] = one;
  std::vector<Address> path = path_through(chunks, touches.path());
  const size_t looked_at = path.size();
  path.resize(std::min(looked_at, kMostOfPath));
  Json shown = Json::array();
  for (const Address at : shown_of(chunks, nodes, path)) {
    const SeenNode& one = chunks.at(at);
    shown.push_back(
        {{"at", one.at}, {"bytes", one.bytes}, {"left", one.left}, {"right", one.right}});
  }
  return {{"trace", request.trace},
          {"allocator", model.name},
          {"tree",
           {{"event", *request.tree_at},
            {"does", event_json(event)},
            {"free_chunks", nodes.size()},
            {"looked_at", looked_at},
            {"path", path},
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
  sim::ObjectSlots slots;
  std::vector<sim::SlotEvent> events;
  uint64_t done = 0;
  const std::unique_ptr<sim::EventSource> source = open_source(request);
  bool is_shown = false;
  for_each_part(request, *source, [&](std::span<const tracefile::Event> part) {
    slots.translate(part, events);
    const std::span<const sim::SlotEvent> all(events);
    if (done + all.size() <= *request.tree_at) {
      replay.run(all);
      done += all.size();
      return true;
    }
    const size_t before = *request.tree_at - done;
    replay.run(all.first(before));
    const std::vector<SeenNode> nodes = nodes_of(*model.model);
    touches.keep_path(true);
    replay.count_touches(&touches);
    replay.run(all.subspan(before, 1));
    const Json json = tree_of(model, request, nodes, all[before], touches);
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
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
