// `mmt resolve SPEC...`, not in the help: what the words of registry/allocator_spec.h stand for, as
// JSON. The laboratory asks it; docs/laboratory.md has what it prints.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/failure.h"
#include "cli/registry/allocator_spec.h"
#include "cli/verbs.h"

namespace mmt::cli {
namespace {

using Json = nlohmann::ordered_json;

Json described(const std::string& spec) {
  const AllocatorChoice choice = resolve_allocator(spec, kUsage);
  Json environment = Json::object();
  for (const auto& [name, value] : choice.environment) environment[name] = value;
  return {{"spec", spec},
          {"name", choice.name},
          {"libraries", choice.libraries},
          {"serves_malloc", choice.serves_malloc()},
          {"environment", std::move(environment)},
          {"options", choice.options},
          {"is_mmt", choice.is_ours},
          {"version", choice.is_ours ? MMT_VERSION : ""},
          {"missing", choice.missing.empty() ? Json() : Json(choice.missing)}};
}

}  // namespace

Verb add_resolve(CLI::App& root) {
  auto specs = std::make_shared<std::vector<std::string>>();
  CLI::App* app = root.add_subcommand("resolve", "");
  app->group("");
  app->add_option("specs", *specs, "Allocators");
  return {app, [specs](const Command& behind_marker) {
            specs->insert(specs->end(), behind_marker.begin(), behind_marker.end());
            Json all = Json::array();
            for (const std::string& one : *specs) all.push_back(described(one));
            fmt::print("{}\n", Json{{"schema", 1}, {"allocators", std::move(all)}}.dump());
            return 0;
          }};
}

}  // namespace mmt::cli
