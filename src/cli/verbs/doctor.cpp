// `mmt doctor`: what this machine offers to MMT, as text or JSON.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/failure.h"
#include "cli/machine/findings.h"
#include "cli/registry/allocators.h"
#include "cli/verbs.h"
#include "report/text_table.h"

namespace mmt::cli {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;

const char* word(Verdict verdict) {
  return verdict == Verdict::kGood ? "good" : verdict == Verdict::kNote ? "note" : "bad";
}

Findings examine() {
  Findings findings = examine_machine();
  const auto allocators = known_allocators();
  const bool there = allocators.front().installed;
  findings.push_back({"library", allocators.front().path, there ? Verdict::kGood : Verdict::kBad,
                      there ? "" : "not found: 'mmt run' cannot work"});
  examine_limits(findings);
  return findings;
}

void print_json(const Findings& findings) {
  Json json{{"schema", 1}, {"findings", Json::array()}, {"peers", Json::array()}};
  for (const Finding& one : findings) {
    json["findings"].push_back({{"name", one.name},
                                {"value", one.value},
                                {"verdict", word(one.verdict)},
                                {"meaning", one.meaning}});
  }
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.name == "mmt") continue;
    json["peers"].push_back({{"name", one.name},
                             {"installed", one.installed},
                             {"path", one.path},
                             {"package", one.package}});
  }
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_text(const Findings& findings) {
  report::TextTable table({{"", Align::kLeft},
                           {"what", Align::kLeft},
                           {"found", Align::kLeft},
                           {"for MMT", Align::kLeft}});
  for (const Finding& one : findings) {
    table.add_row({word(one.verdict), one.name, one.value, one.meaning});
  }
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.name == "mmt") continue;
    table.add_row(
        {one.installed ? "good" : "note", "peer " + one.name,
         one.installed ? (one.path.empty() ? "the C library" : one.path) : "not installed",
         one.installed ? "" : fmt::format("apt-get install {}", one.package)});
  }
  fmt::print("{}", table.render());
}

}  // namespace

Verb add_doctor(CLI::App& root) {
  auto json = std::make_shared<bool>(false);
  CLI::App* app = root.add_subcommand("doctor", "Show what this machine offers to MMT");
  app->add_flag("--json", *json, "As JSON, schema 1");
  return {app, [json](const Command& command) {
            if (!command.empty()) throw Failure(kUsage, "mmt doctor takes no command");
            const Findings findings = examine();
            *json ? print_json(findings) : print_text(findings);
            return 0;
          }};
}

}  // namespace mmt::cli
