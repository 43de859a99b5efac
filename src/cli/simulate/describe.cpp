// `--describe`: names and traces, before anything is replayed.
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/simulate/replaying.h"
#include "command/json_text.h"
#include "command/message.h"

namespace mmt::cli {

using command::json_text;
using command::show;

void describe(const ReplayRequest& request) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", 1}, {"allocators", Json::array()}};
  for (const std::string& name : request.allocators) {
    const sim::Spec spec = spec_of(name);
    Json factors = Json::object();
    for (const auto& [key, value] : sim::factors(spec)) factors[key] = value;
    json["allocators"].push_back(
        {{"spec", name}, {"name", sim::canonical(spec)}, {"factors", std::move(factors)}});
  }
  if (!request.trace.empty()) {
    const std::optional<uint64_t> events = open_source(request)->count();
    json["trace"] = request.trace;
    json["events"] = events ? Json(*events) : Json();
  }
  show(json_text(json));
}

}  // namespace mmt::cli
