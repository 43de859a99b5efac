#include "cli/command_line/parse.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "cli/command_line/grammar.h"
#include "cli/command_line/help.h"
#include "command/did_you_mean.h"
#include "command/failure.h"
#include "command/message.h"
#include "programs/program.h"

namespace mmt::cli {

using command::did_you_mean;
using command::Failure;
using command::kRunFailed;
using command::kUsage;
using command::nearest;
using command::show;
using programs::is_program;

namespace {

// What documents call a mode is none of the options' names.
constexpr std::string_view kForMode[] = {"--mode", "--allocator", "--allocators", "--malloc"};

std::string name_part(const std::string& word) { return word.substr(0, word.find('=')); }

const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
  return app.get_option_no_throw(name);
}

// "--huge_pages=on" as the option is declared, "--huge-pages=on"; else unchanged.
std::string declared_spelling(const CLI::App& app, const std::string& word) {
  std::string name = name_part(word);
  if (!name.starts_with("--") || find_option(app, name) != nullptr) return word;
  std::replace(name.begin(), name.end(), '_', '-');
  return find_option(app, name) != nullptr ? name + word.substr(name.size()) : word;
}

// All words but those of a program that a verb runs: `mmt run prog --no_follow` is the program's.
void use_declared_spellings(const CLI::App& app, std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("-")) {
      if (app.get_prefix_command()) return;
      continue;
    }
    words[i] = declared_spelling(app, words[i]);
    const CLI::Option* const option = find_option(app, name_part(words[i]));
    const bool has_value = option != nullptr && option->get_items_expected_min() > 0;
    if (has_value && words[i].find('=') == std::string::npos) ++i;
  }
}

// What takes one value takes the last: an alias or a wrapper may have given another before.
void let_the_last_win(const CLI::App& app) {
  for (const CLI::Option* one : app.get_options()) {
    if (one->get_positional() || one->get_items_expected_max() > 1) continue;
    const_cast<CLI::Option*>(one)->take_last();
  }
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* one : app.get_options()) {
    for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : one->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// The parser's own words, but where it speaks of types and of what it expected.
std::string problem_of(const CLI::ParseError& error, const CLI::App& app) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const std::vector<std::string> extras = app.remaining();
    for (const std::string& one : extras) {
      if (one.starts_with("-")) return unknown_option(app, one);
    }
    return fmt::format("'{}' is one word too many", extras.empty() ? "" : extras.front());
  }
  const std::string text = error.what();
  // "Could not convert: --quiet = maybe", of what takes none.
  if (error.get_name() == "ConversionError") {
    const std::size_t name = std::min(text.find("--"), text.size());
    return text.substr(name, text.find(' ', name) - name) + " takes no value";
  }
  if (error.get_name() != "ArgumentMismatch") return text;
  return text.substr(0, text.find(':')) + " needs a value";
}

// `mmt list help`, where nothing is called so.
bool asks_for_help(const std::vector<std::string>& arguments) {
  std::error_code ignored;
  return arguments.size() == 2 && arguments[0] != "help" && arguments[1] == "help" &&
         !is_program("help") && !std::filesystem::exists("help", ignored);
}

std::vector<std::string> verb_names(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& one : verbs) {
    if (!one.app->get_group().empty()) names.push_back(one.app->get_name());
  }
  return names;
}

// The first word is near no verb: an option's name, or a program that lacks "run --" before it.
std::string no_verb_but(const std::string& word) {
  std::string meant;
  if (word == "version") meant = "; did you mean '--version'?";
  if (is_program(word)) meant = fmt::format("; did you mean 'mmt run -- {}'?", word);
  return with_help(fmt::format("there is no verb '{}'{}", word, meant), "mmt");
}

[[noreturn]] void wrong_root(const CLI::App& root, const std::vector<Verb>& verbs,
                             const std::string& word) {
  if (word == "--") {
    throw Failure(kUsage, "no verb given; did you mean 'mmt run --'? See 'mmt --help'");
  }
  if (!word.starts_with("-")) {
    if (nearest(word, verb_names(verbs)).empty()) throw Failure(kUsage, no_verb_but(word));
    throw Failure(kUsage, no_such_verb(verbs, word));
  }
  for (const Verb& one : verbs) {
    const bool is_hidden = one.app->get_group().empty();
    if (is_hidden || find_option(*one.app, name_part(word)) == nullptr) continue;
    throw Failure(kUsage, with_help(fmt::format("unknown option '{}'; it belongs behind '{}'",
                                                name_part(word), one.app->get_name()),
                                    "mmt " + one.app->get_name()));
  }
  const std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::vector<std::string> names = verb_names(verbs);
  if (std::find(names.begin(), names.end(), bare) != names.end())
    throw Failure(kUsage,
                  with_help(fmt::format("unknown option '{}'; did you mean '{}'?", word, bare),
                            "mmt " + bare));
  throw Failure(kUsage, with_help(unknown_option(root, word), "mmt"));
}

}  // namespace

std::string unknown_option(const CLI::App& app, const std::string& word) {
  const std::string name = name_part(word);
  const bool is_mode =
      std::find(std::begin(kForMode), std::end(kForMode), name) != std::end(kForMode);
  if (is_mode && app.get_name() == "run")
    return fmt::format("unknown option '{}'; did you mean '--heap', '--backend' or '--protocol'?",
                       name);
  std::vector<std::string> names = option_names(app);
  // One letter is near every other.
  if (name.size() == 2) {
    std::erase_if(names, [&](const std::string& one) {
      return one.size() != 2 || std::tolower(one[1]) != std::tolower(name[1]);
    });
  }
  return fmt::format("unknown option '{}'{}", name, did_you_mean(name, names));
}

std::string no_such_verb(const std::vector<Verb>& verbs, const std::string& name) {
  const std::string meant = did_you_mean(name, verb_names(verbs));
  return with_help(fmt::format("there is no verb '{}'{}", name, meant), "mmt");
}

std::string with_help(const std::string& text, const std::string& command) {
  return fmt::format("{} '{} --help'", text + (text.ends_with("?") ? " See" : "; see"), command);
}

Parsed parse_command_line(CLI::App& root, const std::vector<Verb>& verbs,
                          std::vector<std::string> arguments) {
  if (arguments.empty()) throw Failure(kUsage, "no verb given; see 'mmt --help'");
  const std::string first = arguments.front();
  const auto verb = std::find_if(verbs.begin(), verbs.end(),
                                 [&](const Verb& one) { return one.app->get_name() == first; });
  if (verb == verbs.end() && (first == "--" || find_option(root, first) == nullptr)) {
    wrong_root(root, verbs, first);
  }
  if (verb != verbs.end() && asks_for_help(arguments)) arguments[1] = "--help";
  // "mmt verb [options] -- command": nothing behind the first "--" is ours to parse.
  const auto marker = std::find(arguments.begin(), arguments.end(), "--");
  Parsed parsed;
  if (marker != arguments.end()) parsed.command.assign(marker + 1, arguments.end());
  arguments.erase(marker, arguments.end());
  if (verb != verbs.end()) {
    std::vector<std::string> own(arguments.begin() + 1, arguments.end());
    use_declared_spellings(*verb->app, own);
    std::copy(own.begin(), own.end(), arguments.begin() + 1);
    let_the_last_win(*verb->app);
  }
  std::reverse(arguments.begin(), arguments.end());  // what CLI11 expects of a vector
  try {
    root.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    show(verb != verbs.end() ? help_of(grammar_of(*verb)) : help_of_root(root, verbs));
    return parsed;
  } catch (const CLI::CallForVersion& version) {
    show(fmt::format("{}\n", version.what()));
    return parsed;
  } catch (const CLI::ParseError& error) {
    const CLI::App& app = verb != verbs.end() ? *verb->app : root;
    throw Failure(first == "run" ? kRunFailed : kUsage,
                  with_help(problem_of(error, app), verb != verbs.end() ? "mmt " + first : "mmt"));
  }
  parsed.verb = verb != verbs.end() ? &*verb : nullptr;
  return parsed;
}

}  // namespace mmt::cli
