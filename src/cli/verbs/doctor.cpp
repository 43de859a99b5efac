// `mmt doctor`: what this machine offers to MMT, as text or JSON. Fails where MMT cannot do its
// work.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command_line/verb.h"
#include "cli/machine/findings.h"
#include "cli/registry/allocators.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "programs/installation.h"
#include "programs/malloc_library.h"
#include "report/wrapped_text.h"

namespace mmt::cli {

using command::Failure;
using command::json_text;
using command::kFailed;
using command::kUsage;
using command::show;
using programs::Command;
using programs::expected_library_path;
using programs::fault_of_malloc_library;

namespace {

using Json = nlohmann::ordered_json;

const char* word(Verdict verdict) {
  return verdict == Verdict::kGood ? "good" : verdict == Verdict::kNote ? "note" : "bad";
}

Findings examine() {
  Findings findings = examine_machine();
  const std::string library = expected_library_path();
  const std::string fault = fault_of_malloc_library(library);
  findings.push_back({"library", library, fault.empty() ? Verdict::kGood : Verdict::kBad,
                      fault.empty() ? "" : fmt::format("{}: 'mmt run' cannot work", fault)});
  examine_environment(findings);
  examine_limits(findings);
  return findings;
}

std::vector<std::string> names_of_bad(const Findings& findings) {
  std::vector<std::string> names;
  for (const Finding& one : findings) {
    if (one.verdict == Verdict::kBad) names.push_back(one.name);
  }
  return names;
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
  show(json_text(json, 2));
}

void print_line(const char* verdict, const std::string& name, const std::string& value,
                const std::string& meaning) {
  const std::string text = meaning.empty() ? value
                           : value.empty() ? meaning
                                           : fmt::format("{}: {}", value, meaning);
  show(report::wrapped(fmt::format("{:4}  {:21}  ", verdict, name), text));
}

void print_text(const Findings& findings) {
  for (const Finding& one : findings)
    print_line(word(one.verdict), one.name, one.value, one.meaning);
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.name == "mmt") continue;
    print_line(one.installed ? "good" : "note", "peer " + one.name,
               !one.installed     ? "not installed"
               : one.path.empty() ? "the C library"
                                  : one.path,
               one.installed ? "" : fmt::format("apt-get install {}", one.package));
  }
  const std::vector<std::string> bad = names_of_bad(findings);
  show(fmt::format("\n{}\n", bad.empty() ? "All that MMT needs is here."
                                         : fmt::format("MMT cannot do its work, because of: {}.",
                                                       fmt::join(bad, ", "))));
}

}  // namespace

Verb add_doctor(CLI::App& root) {
  auto json = std::make_shared<bool>(false);
  CLI::App* app = root.add_subcommand("doctor", "Show what this machine offers to MMT");
  app->add_flag("--json", *json, "As JSON, schema 1");
  return {app,
          [json](const Command& command) {
            if (!command.empty()) throw Failure(kUsage, "mmt doctor takes no command");
            const Findings findings = examine();
            *json ? print_json(findings) : print_text(findings);
            return names_of_bad(findings).empty() ? 0 : kFailed;
          },
          "mmt doctor [options]",
          {{"mmt doctor", "what keeps MMT from doing its work here, and what helps"}}};
}

}  // namespace mmt::cli
