#include "cli/command_line/completion.h"

#include <algorithm>

#include "cli/command_line/candidates.h"
#include "cli/command_line/grammar.h"
#include "report/visible.h"

namespace mmt::cli {
namespace {

using Words = std::vector<std::string>;

const OptionGrammar kProgram{.names = {"program"}, .value = "PROGRAM", .kind = kProgramKind};
const OptionGrammar kArgument{.names = {"argument"}, .value = "FILE", .kind = kFileKind};

// The last value of a list is completed, and those before stay as they are.
Words values(const OptionGrammar& option, const std::string& typed) {
  const std::size_t comma = option.is_list ? typed.rfind(',') : std::string::npos;
  const std::string before = comma == std::string::npos ? "" : typed.substr(0, comma + 1);
  const std::string last = typed.substr(before.size());
  Words all;
  for (const std::string& one : candidates(option, last)) all.push_back(before + one);
  return all;
}

const OptionGrammar* find(const VerbGrammar& verb, std::string name) {
  name = name.substr(0, name.find('='));
  if (name.starts_with("--")) std::replace(name.begin(), name.end(), '_', '-');
  for (const OptionGrammar& one : verb.options) {
    if (one.has_name(name)) return &one;
  }
  return nullptr;
}

Words option_names(const std::vector<OptionGrammar>& options) {
  Words all;
  for (const OptionGrammar& one : options) {
    for (const std::string& name : one.names) {
      if (name.starts_with("--")) all.push_back(name);
    }
  }
  return all;
}

// A program and its arguments.
Words of_command(const Words& command, const std::string& typed) {
  return values(command.empty() ? kProgram : kArgument, typed);
}

// "--heap=le": the value, with what stands before it.
Words of_option_with_value(const VerbGrammar& verb, const std::string& typed) {
  const OptionGrammar* const option = find(verb, typed);
  if (option == nullptr) return {};
  const std::size_t equals = typed.find('=');
  Words all;
  for (const std::string& one : values(*option, typed.substr(equals + 1))) {
    all.push_back(typed.substr(0, equals + 1) + one);
  }
  return all;
}

Words of_operands(const VerbGrammar& verb, const std::string& typed) {
  if (verb.begins_command()) return of_command({}, typed);
  Words all;
  for (const OptionGrammar& one : verb.operands) {
    const Words more = values(one, typed);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

Words of_verb(const VerbGrammar& verb, const Words& words) {
  const std::string& typed = words.back();
  const OptionGrammar* waiting = nullptr;  // for its value
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (word == "--" || (verb.begins_command() && !word.starts_with("-"))) {
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(word == "--" ? i + 1 : i);
      return verb.takes_command ? of_command({first, words.end() - 1}, typed) : Words{};
    } else if (word.starts_with("-") && word.find('=') == std::string::npos) {
      const OptionGrammar* const option = find(verb, word);
      if (option != nullptr && !option->is_flag() && !option->may_be_alone) waiting = option;
    }
  }
  if (waiting != nullptr) return values(*waiting, typed);
  if (typed.starts_with("-") && typed.find('=') != std::string::npos) {
    return of_option_with_value(verb, typed);
  }
  if (typed.starts_with("-")) return option_names(verb.options);
  return of_operands(verb, typed);
}

Words of_root(const CLI::App& root, const std::vector<Verb>& verbs, const std::string& typed) {
  if (typed.starts_with("-")) return option_names(grammar_of_root(root));
  Words all;
  for (const Verb& one : verbs) {
    if (!one.app->get_group().empty()) all.push_back(one.app->get_name());
  }
  return all;
}

}  // namespace

std::vector<std::string> complete(const CLI::App& root, const std::vector<Verb>& verbs,
                                  const std::vector<std::string>& words) {
  if (words.empty()) return {};
  Words all;
  if (words.size() == 1) {
    all = of_root(root, verbs, words.front());
  } else {
    for (const Verb& one : verbs) {
      if (one.app->get_name() != words.front()) continue;
      const Words typed(words.begin() + 1, words.end());
      all = of_verb(grammar_of(one, {typed.begin(), typed.end() - 1}), typed);
    }
  }
  Words chosen;
  for (std::string& one : all) {
    const bool is_new = std::find(chosen.begin(), chosen.end(), one) == chosen.end();
    // A shell shows candidates as they are.
    const bool is_safe = report::visible(one) == one;
    if (one.starts_with(words.back()) && is_new && is_safe) chosen.push_back(std::move(one));
  }
  return chosen;
}

}  // namespace mmt::cli
