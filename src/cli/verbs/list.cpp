// `mmt list`: what there is to choose from, as text or JSON.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/checks.h"
#include "cli/failure.h"
#include "cli/registry/allocators.h"
#include "cli/registry/backends.h"
#include "cli/registry/heaps.h"
#include "cli/registry/protocols.h"
#include "cli/verbs.h"
#include "offload/options.h"
#include "report/text_table.h"

namespace mmt::cli {
namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using report::TextTable;

struct ListFlags {
  std::string kind;
  bool json = false;
  bool markdown = false;
};

// Things that need no more than a name and a line of text.
std::vector<Named> items(const std::string& kind) {
  if (kind == "heaps") return known_heaps();
  if (kind == "backends") return known_backends();
  if (kind == "protocols") return known_protocols();
  return {{"heap-layers", "allocators composed of layers against monolithic ones"},
          {"mmt", "the memory thread's protocols, step by step"}};  // studies
}

std::span<const offload::OptionInfo> options() {
  std::size_t count = 0;
  const offload::OptionInfo* table = offload::option_table(&count);
  return {table, count};
}

Json items_json(const std::vector<Named>& items) {
  Json list = Json::array();
  for (const Named& one : items) list.push_back({{"name", one.name}, {"help", one.help}});
  return list;
}

std::string items_text(const std::vector<Named>& items) {
  TextTable table({{"name", Align::kLeft}, {"what it is", Align::kLeft}});
  for (const Named& one : items) table.add_row({one.name, one.help});
  return table.empty() ? "" : table.render();
}

Json allocators_json() {
  Json list = Json::array();
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.installed) list.push_back({{"name", one.name}, {"path", one.path}});
  }
  return list;
}

std::string allocators_text() {
  TextTable table({{"name", Align::kLeft}, {"library", Align::kLeft}});
  for (const AllocatorInfo& one : known_allocators()) {
    table.add_row({one.name, one.installed ? (one.path.empty() ? "the C library" : one.path)
                             : one.package.empty()
                                 ? fmt::format("not found: {}", one.path)
                                 : fmt::format("not installed: package {}", one.package)});
  }
  return table.render();
}

Json options_json() {
  Json list = Json::array();
  for (const offload::OptionInfo& one : options()) {
    list.push_back({{"name", one.name},
                    {"kind", one.kind},
                    {"values", one.values},
                    {"default", one.def},
                    {"help", one.help}});
  }
  return list;
}

std::string options_text() {
  TextTable table({{"name", Align::kLeft},
                   {"kind", Align::kLeft},
                   {"values", Align::kLeft},
                   {"default", Align::kLeft},
                   {"what it does", Align::kLeft}});
  for (const offload::OptionInfo& one : options()) {
    table.add_row({one.name, one.kind, one.values, one.def, one.help});
  }
  return table.render();
}

// The table of docs/options.md.
std::string options_markdown() {
  std::string out = "| option | kind | values | default | what it does |\n|---|---|---|---|---|\n";
  const auto cell = [](std::string_view text) {
    std::string escaped;
    for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return escaped;
  };
  for (const offload::OptionInfo& one : options()) {
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", one.name, one.kind, cell(one.values),
                       cell(one.def), cell(one.help));
  }
  return out;
}

int list(const ListFlags& flags, const Command& command) {
  if (!command.empty()) throw Failure(kUsage, "mmt list takes no command");
  if (flags.markdown && flags.kind != "options") {
    throw Failure(kUsage, "--markdown is for 'mmt list options'");
  }
  if (flags.json) {
    Json json{{"schema", 1}};
    json[flags.kind] = flags.kind == "allocators" ? allocators_json()
                       : flags.kind == "options"  ? options_json()
                                                  : items_json(items(flags.kind));
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", flags.markdown               ? options_markdown()
                     : flags.kind == "allocators" ? allocators_text()
                     : flags.kind == "options"    ? options_text()
                                                  : items_text(items(flags.kind)));
  }
  return 0;
}

}  // namespace

Verb add_list(CLI::App& root) {
  auto flags = std::make_shared<ListFlags>();
  CLI::App* app = root.add_subcommand("list", "List heaps, backends, protocols, allocators, ...");
  app->add_option("kind", flags->kind, "What to list")
      ->required()
      ->check(one_of({"heaps", "backends", "protocols", "allocators", "studies", "options"}));
  auto* json = app->add_flag("--json", flags->json, "As JSON, schema 1");
  app->add_flag("--markdown", flags->markdown, "Options as the table of docs/options.md")
      ->excludes(json);
  return {app, [flags](const Command& command) { return list(*flags, command); }};
}

}  // namespace mmt::cli
