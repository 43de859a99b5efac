// mmt-replay-models: replays a trace through models of allocators, in one process. The laboratory's
// `mmt simulate` starts it; docs/simulator.md has what it prints.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "cli/command_line/checks.h"
#include "cli/simulate/replaying.h"
#include "command/failure.h"
#include "command/free_memory.h"
#include "command/message.h"
#include "tracefile/memory_bound.h"

namespace mmt::cli {

using command::bound_memory;
using command::Failure;
using command::kFailed;
using command::kMemoryHelp;
using command::kUsage;

namespace {

int replay(const ReplayRequest& request) {
  bound_memory(request.memory);
  if (request.describes) {
    describe(request);
    return 0;
  }
  if (request.trace.empty()) throw Failure(kUsage, "which trace?");
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

void declare(CLI::App& app, ReplayRequest& request) {
  app.add_option("trace", request.trace, "The trace");
  app.add_flag("--describe", request.describes, "Tell what names and the trace are");
  app.add_option("--allocator", request.allocators, "A model; again for more");
  app.add_option("--first", request.first, "Begin at this event");
  app.add_option("--events", request.events, "So many of them");
  app.add_option("--mean-request", request.mean_request,
                 "Multiply sizes, so that the average request has so many bytes")
      ->check(number_between(uint64_t{1}, uint64_t{1} << 40));
  app.add_flag("--walk", request.walks, "Search lists by walks, not by an index");
  app.add_flag("--touches", request.counts_touches, "Count cache lines and pages");
  app.add_flag("--resident", request.counts_resident, "Count the memory that is written to");
  app.add_option("--samples", request.samples, "Most points of a curve")
      ->check(number_between(2U, 65536U));
  app.add_flag("--series", request.shows_series, "Print the curves");
  app.add_option("--map", request.map_rows, "Rows of the heap map")
      ->check(number_between(0U, 4096U));
  app.add_option("--tree", request.tree_at, "The free chunks before this event");
  app.add_flag("--partings", request.finds_partings, "Where models part");
  app.add_flag("--bounds", request.finds_bounds, "What no policy can do better than");
  app.add_option("--align", request.align, "Of the bounds")->check(number_between(1U, 4096U));
  app.add_option("--check", request.check_every, "Invariants behind each so manieth event");
  app.add_option("--shrunk", request.shrunk, "Write a small trace that breaks one there");
  app.add_option("--addresses", request.addresses, "Write the objects' addresses there");
  app.add_option("--flat", request.flat, "Write the trace for real allocators there");
  app.add_option("--memory", request.memory, kMemoryHelp);
  app.add_flag("--progress", request.tells_progress, "Print how far it is");
  // What takes one value takes the last, as with the verbs of `mmt`.
  for (CLI::Option* one : app.get_options()) {
    if (!one->get_positional() && one->get_items_expected_max() == 1) one->take_last();
  }
}

int main_of(int argc, char** argv) {
  CLI::App app("Replays a trace through models of allocators.", "mmt-replay-models");
  ReplayRequest request;
  declare(app, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    throw Failure(kUsage, fmt::format("{}; see 'mmt-replay-models --help'", error.what()));
  }
  const int status = replay(request);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  throw Failure(kFailed, "cannot write to standard output");
}

}  // namespace
}  // namespace mmt::cli

int main(int argc, char** argv) {
  mmt::tracefile::tell_where_nothing_can_be_thrown("mmt: ");
  try {
    return mmt::cli::main_of(argc, argv);
  } catch (const mmt::command::Failure& failure) {
    std::fflush(stdout);
    mmt::command::tell(failure.what());
    return failure.status();
  } catch (const std::bad_alloc& failure) {
    const mmt::tracefile::MemoryBound::Lifted lifted;
    std::fflush(stdout);
    mmt::command::tell(mmt::tracefile::told_of(failure));
    return mmt::command::kFailed;
  } catch (const std::exception& error) {
    mmt::command::tell(error.what());
    return mmt::command::kFailed;
  }
}
