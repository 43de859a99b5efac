#include "cli/command_line/grammar.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/command_line/laboratory_grammar.h"

namespace mmt::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

// A type is written as what stands for the value: "auto|on|off" names all values there are,
// "NAME,..." says that there may be several, "[=FILE]" that there may be none. A word in capitals
// is a kind.
void set_value(OptionGrammar& option, std::string type) {
  if (type.starts_with("[=") && type.ends_with("]")) {
    option.may_be_alone = true;
    type = type.substr(2, type.size() - 3);
  }
  option.value = type;
  if (type.ends_with(",...")) {
    option.is_list = true;
    type.resize(type.size() - 4);
  }
  const bool is_kind =
      std::any_of(type.begin(), type.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (is_kind) {
    option.kind = type.substr(0, type.find_first_of("[:="));
  } else if (type.find('|') != std::string::npos) {
    option.values = split(type, '|');
  }
}

// What stands for an operand, as in a usage.
std::string in_capitals(std::string name) {
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

OptionGrammar grammar_of(const CLI::Option& option) {
  OptionGrammar grammar;
  for (const std::string& name : option.get_snames()) grammar.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) grammar.names.push_back("--" + name);
  if (grammar.names.empty()) grammar.names.push_back(in_capitals(option.get_name(true)));
  grammar.help = option.get_description();
  grammar.group = option.get_group();
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0 || type.starts_with("[=")) {
    set_value(grammar, type.empty() ? "VALUE" : type);
  }
  return grammar;
}

std::string usage_of(const VerbGrammar& verb) {
  std::string usage = fmt::format("mmt {}{}", verb.name, verb.options.empty() ? "" : " [options]");
  for (const OptionGrammar& one : verb.operands) usage += fmt::format(" [{}]", one.value);
  return usage;
}

}  // namespace

bool OptionGrammar::has_name(const std::string& name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<OptionGrammar> grammar_of_root(const CLI::App& root) {
  std::vector<OptionGrammar> options;
  for (const CLI::Option* one : root.get_options()) options.push_back(grammar_of(*one));
  return options;
}

VerbGrammar grammar_of(const Verb& verb, const std::vector<std::string>& typed) {
  if (verb.is_laboratory) return laboratory_grammar(verb, typed);
  VerbGrammar grammar;
  const CLI::App& app = *verb.app;
  grammar.name = app.get_name();
  grammar.help = app.get_description();
  grammar.is_hidden = app.get_group().empty();
  grammar.examples = verb.examples;
  for (const CLI::Option* one : app.get_options()) {
    if (one->get_group().empty()) continue;
    (one->get_positional() ? grammar.operands : grammar.options).push_back(grammar_of(*one));
  }
  grammar.starts_command = app.get_prefix_command();
  grammar.takes_command = grammar.starts_command || verb.usage.find(" -- ") != std::string::npos;
  grammar.usage = verb.usage.empty() ? usage_of(grammar) : verb.usage;
  return grammar;
}

}  // namespace mmt::cli
