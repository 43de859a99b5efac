// Parses a command line with the manners that all verbs have. Both spellings of an option are known
// (--huge-pages, --huge_pages), and the last one wins. What is wrong is named with what may be
// meant.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/verb.h"

namespace mmt::cli {

// What of the command line is the user's: the verb, and the command behind the first "--".
struct Parsed {
  const Verb* verb = nullptr;  // null: there was a request for help or the version; it is done
  programs::Command command;
};

// Throws a Failure that says what is wrong and where help is. `arguments` are those behind the
// program's name. Prints help and version when they are asked for.
Parsed parse_command_line(CLI::App& root, const std::vector<Verb>& verbs,
                          std::vector<std::string> arguments);

// The text, and where the help is: "...; see 'mmt run --help'".
std::string with_help(const std::string& text, const std::string& command);

// "there is no verb 'rum'; did you mean 'run'? See 'mmt --help'"
std::string no_such_verb(const std::vector<Verb>& verbs, const std::string& name);

// "unknown option '--sats'; did you mean '--stats'?"
std::string unknown_option(const CLI::App& app, const std::string& word);

}  // namespace mmt::cli
