// `mmt replay-trace`: replays a trace through models of allocators, in one process. Not shown in
// the help: the laboratory's `mmt simulate` starts it, and docs/simulator.md has what it prints.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/command_line/checks.h"
#include "cli/failure.h"
#include "cli/simulate/replaying.h"
#include "cli/verbs.h"

namespace mmt::cli {
namespace {

int replay_trace(const ReplayRequest& request) {
  if (request.describes) {
    describe(request);
    return 0;
  }
  if (request.trace.empty()) throw Failure(kUsage, "replay-trace: which trace?");
  for (const std::string& one : request.allocators) spec_of(one);
  if (!request.flat.empty()) {
    write_flat(request);
    return 0;
  }
  if (!request.addresses.empty()) {
    write_addresses(request);
    return 0;
  }
  if (request.tree_at) {
    show_tree(request);
    return 0;
  }
  if (request.check_every != 0) return check_models(request) ? 0 : kFailed;
  replay_models(request);
  return 0;
}

}  // namespace

Verb add_replay_trace(CLI::App& root) {
  auto request = std::make_shared<ReplayRequest>();
  CLI::App* app = root.add_subcommand("replay-trace", "");
  app->group("");
  app->add_option("trace", request->trace, "The trace");
  app->add_flag("--describe", request->describes, "Tell what names and the trace are");
  app->add_option("--allocator", request->allocators, "A model; again for more");
  app->add_option("--first", request->first, "Begin at this event");
  app->add_option("--events", request->events, "So many of them");
  app->add_flag("--touches", request->counts_touches, "Count cache lines and pages");
  app->add_option("--samples", request->samples, "Most points of a curve")
      ->check(number_between(2U, 65536U));
  app->add_flag("--series", request->shows_series, "Print the curves");
  app->add_option("--map", request->map_rows, "Rows of the heap map")
      ->check(number_between(0U, 4096U));
  app->add_option("--tree", request->tree_at, "The free chunks before this event");
  app->add_flag("--partings", request->finds_partings, "Where models part");
  app->add_flag("--bounds", request->finds_bounds, "What no policy can do better than");
  app->add_option("--align", request->align, "Of the bounds")->check(number_between(1U, 4096U));
  app->add_option("--check", request->check_every, "Invariants behind each so manieth event");
  app->add_option("--shrunk", request->shrunk, "Write a small trace that breaks one there");
  app->add_option("--addresses", request->addresses, "Write the objects' addresses there");
  app->add_option("--flat", request->flat, "Write the trace for real allocators there");
  app->add_flag("--progress", request->tells_progress, "Print how far it is");
  return {app, [request](const Command& command) {
            if (!command.empty()) throw Failure(kUsage, "mmt replay-trace takes no command");
            return replay_trace(*request);
          }};
}

}  // namespace mmt::cli
