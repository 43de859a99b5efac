// `mmt facts -- program`: what can be said of a program without running it. Not shown in the help:
// `mmt check` asks it. Prints one JSON object, which docs/laboratory.md specifies.
#include <cstdlib>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <mmt/sys/cpus.h>

#include "cli/command_line/verb.h"
#include "cli/machine/bound_cpu.h"
#include "cli/machine/fault_price.h"
#include "cli/registry/config.h"
#include "cli/registry/protocols.h"
#include "cli/registry/settings.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "programs/bundled_allocators.h"
#include "programs/elf.h"
#include "programs/installation.h"
#include "programs/program.h"

namespace mmt::cli {

using command::Failure;
using command::json_text;
using command::kFailed;
using command::kUsage;
using command::show;
using programs::bundled_allocators;
using programs::Command;
using programs::ElfFile;
using programs::find_obstacle;
using programs::find_obstacle_in_libraries;
using programs::find_program;
using programs::kind_name;
using programs::library_beside;
using programs::library_path;
using programs::program_of_script;

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFactsSchema = 1;
constexpr const char* kOperatorNew = "_Znwm";

Json obstacle_of(const std::string& path) {
  auto obstacle = find_obstacle(path);
  if (!obstacle) obstacle = find_obstacle_in_libraries(path);
  if (!obstacle) return nullptr;
  return {{"kind", kind_name(obstacle->kind)}, {"reason", obstacle->reason}};
}

// A library that an answer can be given without; null where it was not built.
template <class Path>
Json if_there(Path path) {
  try {
    return path();
  } catch (const Failure&) {
    return nullptr;
  }
}

// Whether the native heap may have a memory thread, by its options.
bool has_server() { return resolved_value("server", configured_settings(kFailed)) != "off"; }

// Returns the variables that put a program on each of three heaps, as `mmt run` does. They are the
// native heap, the same without a memory thread where it may have one, and glibc's behind the
// memory thread.
Json modes() {
  Json native{{"LD_PRELOAD", library_path(kFailed)}};
  check_environment(kFailed);
  const std::vector<Setting> settings = configured_settings(kFailed);
  check_cpu(resolved_value("cpu", settings), kFailed);
  for (const Setting& one : settings) {
    native[variable_of(one.name)] = one.value;
  }
  Json all{{"native", native}};
  if (has_server()) {
    native[variable_of("server")] = "off";
    all["direct"] = native;
  }
  if (const Json library = if_there([] { return protocol_library_path("mmt", kFailed); });
      !library.is_null()) {
    all["glibc"] = {{"LD_PRELOAD", library}};
  }
  return all;
}

int print_facts(const std::string& name) {
  const std::string path = find_program(name);
  const std::string image = program_of_script(path);
  const auto file = ElfFile::open(image);
  const bool own_new = file && file->image().native && file->defines(kOperatorNew);
  const unsigned quota = sys::cgroup_quota_percent();
  const Json facts{{"schema", kFactsSchema},
                   {"path", path},
                   {"interpreter", image != path ? Json(image) : Json()},
                   {"obstacle", obstacle_of(path)},
                   {"own_new", own_new},
                   {"bundled", bundled_allocators(image)},
                   {"cpus", sys::affinity_cpus()},
                   {"quota", quota == 0 ? Json() : Json(quota / 100.0)},
                   {"fault_ns", fault_price_ns()},
                   {"timer", if_there([] { return library_beside("libmmt-latency.so", kFailed); })},
                   {"server", has_server()},
                   {"modes", modes()}};
  show(json_text(facts));
  return 0;
}

}  // namespace

Verb add_facts(CLI::App& root) {
  CLI::App* app = root.add_subcommand("facts", "");
  app->group("");
  return {app, [](const Command& command) {
            if (command.empty()) throw Failure(kUsage, "no program given: mmt facts -- program");
            return print_facts(command.front());
          }};
}

}  // namespace mmt::cli
