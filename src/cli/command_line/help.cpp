#include "cli/command_line/help.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace mmt::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kColumn = 26;

// The text's words in lines that all begin at `column`; the first line does already.
std::string filled(const std::string& text, std::size_t column) {
  std::string out;
  std::size_t at = column;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (at != column && at + 1 + word.size() > kWidth) {
      out += "\n" + std::string(column, ' ');
      at = column;
    } else if (at != column) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out;
}

// "  name      what it is"; a name that is too long has a line of its own.
std::string row(const std::string& name, const std::string& text) {
  std::string line = "  " + name;
  if (text.empty()) return line + "\n";
  if (line.size() + 2 > kColumn) {
    line += "\n" + std::string(kColumn, ' ');
  } else {
    line.resize(kColumn, ' ');
  }
  return line + filled(text, kColumn) + "\n";
}

std::string names(const OptionGrammar& option) {
  const std::string all = fmt::format("{}", fmt::join(option.names, ", "));
  if (option.is_flag()) return all;
  if (option.may_be_alone) return fmt::format("{}[={}]", all, option.value);
  return fmt::format("{} {}", all, option.value);
}

// Each group under its name, those without one first.
std::string options(const std::vector<OptionGrammar>& all) {
  std::vector<std::string> groups;
  for (const OptionGrammar& one : all) {
    if (std::find(groups.begin(), groups.end(), one.group) == groups.end()) {
      groups.push_back(one.group);
    }
  }
  std::string out;
  for (const std::string& group : groups) {
    out += fmt::format("\n{}:\n", group.empty() ? "Options" : group);
    for (const OptionGrammar& one : all) {
      if (one.group == group) out += row(names(one), one.help);
    }
  }
  return out;
}

std::string examples(const std::vector<Example>& all) {
  std::string out;
  for (const Example& one : all) {
    out += fmt::format("  {}\n      {}\n", one.command, filled(one.shows, 6));
  }
  return out.empty() ? "" : "\nExamples:\n" + out;
}

// Further lines of a usage stand under the first.
std::string usage(const std::string& text) {
  std::string out = "Usage: ";
  for (const char c : text) out += c == '\n' ? "\n       " : std::string(1, c);
  return out + "\n";
}

}  // namespace

std::string help_of(const VerbGrammar& verb) {
  std::string out = usage(verb.usage) + "\n" + filled(verb.help + ".", 0) + "\n";
  std::string operands;
  for (const OptionGrammar& one : verb.operands) {
    if (one.help.empty()) continue;
    operands +=
        row(one.names.front(), one.values.empty()
                                   ? one.help
                                   : fmt::format("{}: {}", one.help, fmt::join(one.values, ", ")));
  }
  if (!operands.empty()) out += "\nOperands:\n" + operands;
  return out + options(verb.options) + examples(verb.examples);
}

std::string help_of_root(const CLI::App& root, const std::vector<Verb>& verbs) {
  std::string out = usage("mmt VERB [options]\nmmt run [options] -- program [arguments]") + "\n" +
                    filled(root.get_description(), 0) + "\n\nVerbs:\n";
  for (const Verb& one : verbs) {
    if (!one.app->get_group().empty()) out += row(one.app->get_name(), one.app->get_description());
  }
  out += options(grammar_of_root(root));
  return out + "\n'mmt help VERB' or 'mmt VERB --help' tells more, 'man mmt' all.\n" +
         examples({{"mmt check -- PROGRAM", "whether a program of yours gains by MMT"},
                   {"mmt run -- PROGRAM", "run it with MMT"},
                   {"mmt run --stats -- sort words.txt", "run a program, and tell of its memory"},
                   {"mmt list heaps", "what programs can be run on"}});
}

}  // namespace mmt::cli
