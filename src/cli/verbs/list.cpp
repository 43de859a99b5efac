// `mmt list`: what there is to choose from, as text, JSON or Markdown.
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command_line/checks.h"
#include "cli/command_line/verb.h"
#include "cli/registry/allocators.h"
#include "cli/registry/backends.h"
#include "cli/registry/built.h"
#include "cli/registry/heaps.h"
#include "cli/registry/options.h"
#include "cli/registry/protocols.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "command/terminal.h"
#include "interprocess/stats_page.h"
#include "interprocess/variables.h"
#include "report/text_table.h"
#include "report/visible.h"
#include "sim/spec/spec.h"

namespace mmt::cli {

using command::Failure;
using command::json_text;
using command::kUsage;
using command::show;
using command::terminal_columns;
using programs::Command;

namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

struct Listing {
  Row keys;      // of the JSON
  Row headings;  // for people
  std::vector<Row> rows;
};

Listing named(const std::vector<Named>& all) {
  Listing list{{"name", "help"}, {"name", "what it is"}, {}};
  for (const Named& one : all) list.rows.push_back({one.name, one.help});
  return list;
}

// A program reads of those that are installed, a person also how the others can be had.
Listing allocators(bool for_people) {
  Listing list{{"name", "path"}, {"name", "library"}, {}};
  for (const AllocatorInfo& one : known_allocators()) {
    if (!for_people) {
      if (one.installed) list.rows.push_back({one.name, one.path});
      continue;
    }
    const std::string there = one.path.empty() ? "the C library" : one.path;
    const std::string missing = one.package.empty()
                                    ? fmt::format("not found: {}", one.path)
                                    : fmt::format("not installed: package {}", one.package);
    list.rows.push_back({one.name, one.installed ? there : missing});
  }
  return list;
}

Listing options_listed() {
  Listing list{{"name", "kind", "values", "default", "help"},
               {"option", "kind", "values", "default", "what it does"},
               {}};
  for (const OptionInfo& one : library_options()) {
    list.rows.push_back({one.name, one.kind, one.values, one.def, one.help});
  }
  return list;
}

Listing protocol_options_listed() {
  Listing list{{"name", "protocols", "values", "default", "help"},
               {"option", "protocols", "values", "default", "what it is"},
               {}};
  for (const OptionInfo& one : protocol_options()) {
    list.rows.push_back({one.name, protocols_with(one), one.values, one.def, one.help});
  }
  return list;
}

Listing variables_listed() {
  Listing list{{"name", "set_by", "help"}, {"variable", "set by", "what it is"}, {}};
  for (const options::Variable& one : options::variables()) {
    list.rows.push_back({one.name, one.is_own ? "mmt" : "you", one.help});
  }
  return list;
}

// Names first, then the keys that may stand behind each.
Listing models() {
  Listing list{{"name", "help"}, {"name", "what it is"}, {}};
  for (const sim::NamedModel& one : sim::known_models()) list.rows.push_back({one.name, one.help});
  for (const sim::NamedModel& one : sim::known_keys()) {
    list.rows.push_back({":" + one.name, one.help});
  }
  return list;
}

Listing figures() {
  Listing list{{"name", "unit", "help"}, {"figure", "unit", "what it is"}, {}};
  for (const observe::StatField& one : observe::kStatFields) {
    list.rows.push_back({one.name, one.unit, one.help});
  }
  return list;
}

struct Kind {
  const char* name;
  const char* help;
  std::function<Listing(bool for_people)> list;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"heaps", "for mmt run --heap: what serves malloc in line",
       [](bool) { return named(known_heaps()); }},
      {"backends", "for mmt run --backend: what a memory thread can be put before",
       [](bool) { return named(known_backends()); }},
      {"protocols", "for mmt run --protocol: how a program and its memory thread work together",
       [](bool) { return named(known_protocols()); }},
      {"allocators",
       "for mmt bench --allocators, which takes heaps, too: MMT, glibc, installed peers",
       [](bool for_people) { return allocators(for_people); }},
      {"models", "for mmt simulate --allocator: placement policies; what stands behind ':'",
       [](bool) { return models(); }},
      {"studies", "for mmt study: papers whose figures are measured anew",
       [](bool) {
         const std::span<const Named> all = built_studies();
         return named({all.begin(), all.end()});
       }},
      {"options", "for mmt run -o, and MMT_OPTIONS: options of the library",
       [](bool) { return options_listed(); }},
      {"protocol-options", "for mmt run --protocol NAME:OPTION=VALUE: options of protocols",
       [](bool) { return protocol_options_listed(); }},
      {"variables", "of the environment: what is read of it",
       [](bool) { return variables_listed(); }},
      {"figures", "of mmt stats --full: what is counted of a heap", [](bool) { return figures(); }},
  };
  return all;
}

Listing list_of_kinds() {
  Listing list{{"name", "help"}, {"kind", "what it lists"}, {}};
  for (const Kind& one : kinds()) list.rows.push_back({one.name, one.help});
  return list;
}

std::string json(const std::string& name, const Listing& list) {
  Json rows = Json::array();
  for (const Row& row : list.rows) {
    Json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[list.keys[i]] = row[i];
    rows.push_back(std::move(object));
  }
  return json_text(Json{{"schema", 1}, {name, std::move(rows)}}, 2);
}

std::string text(const Listing& list) {
  std::vector<report::TextTable::Column> columns;
  for (const std::string& one : list.headings) columns.push_back({one, report::Align::kLeft});
  report::TextTable table(std::move(columns));
  for (const Row& row : list.rows) table.add_row(row);
  return table.empty() ? "" : table.render(terminal_columns());
}

std::string markdown(const Listing& list) {
  std::string out = fmt::format("| {} |\n|", fmt::join(list.headings, " | "));
  for (std::size_t i = 0; i < list.headings.size(); ++i) out += "---|";
  for (const Row& row : list.rows) {
    out += "\n|";
    for (const std::string& cell : row) {
      std::string escaped;
      for (const char c : report::visible(cell))
        escaped += c == '|' ? std::string("\\|") : std::string(1, c);
      out +=
          &cell == &row.front() ? fmt::format(" `{}` |", escaped) : fmt::format(" {} |", escaped);
    }
  }
  return out + "\n";
}

struct ListFlags {
  std::string kind;
  bool json = false;
  bool markdown = false;
};

int list(const ListFlags& flags, const Command& command) {
  if (!command.empty()) throw Failure(kUsage, "mmt list takes no command");
  const bool for_people = !flags.json;
  const auto kind = std::find_if(kinds().begin(), kinds().end(),
                                 [&](const Kind& one) { return one.name == flags.kind; });
  const Listing all = kind != kinds().end() ? kind->list(for_people) : list_of_kinds();
  show(flags.json       ? json(flags.kind.empty() ? "kinds" : flags.kind, all)
       : flags.markdown ? markdown(all)
                        : text(all));
  return 0;
}

}  // namespace

Verb add_list(CLI::App& root) {
  auto flags = std::make_shared<ListFlags>();
  CLI::App* app =
      root.add_subcommand("list", "Show what can be chosen by name: heaps, protocols, options");
  const std::vector<std::string> names = names_in(kinds());
  app->add_option("kind", flags->kind, "What to list; without it, the kinds there are")
      ->check(one_of(names))
      ->type_name(fmt::format("{}", fmt::join(names, "|")));
  auto* json = app->add_flag("--json", flags->json, "As JSON, schema 1");
  app->add_flag("--markdown", flags->markdown, "As a table of Markdown")->excludes(json);
  return {app,
          [flags](const Command& command) { return list(*flags, command); },
          "mmt list [options] [KIND]",
          {{"mmt list heaps", "what programs can be run on"},
           {"mmt list options --markdown", "the options of the library, for a document"}}};
}

}  // namespace mmt::cli
