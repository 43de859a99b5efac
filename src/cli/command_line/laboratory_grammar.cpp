#include "cli/command_line/laboratory_grammar.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include <nlohmann/json.hpp>

#include "cli/command_line/candidates.h"
#include "programs/installation.h"

namespace mmt::cli {

using programs::own_path;

namespace {

using Json = nlohmann::json;

// What the program prints; empty when it fails. What it says on stderr is nobody's.
std::string output_of(std::vector<std::string> words) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& one : words) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t n = 0; error == 0 && (n = ::read(pipe[0], buffer, sizeof buffer)) > 0;) {
    out.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(pipe[0]);
  int status = 1;
  if (error == 0) ::waitpid(child, &status, 0);
  return status == 0 ? out : "";
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

OptionGrammar option_of(const Json& json) {
  OptionGrammar option;
  if (json.contains("names")) {
    option.names = json["names"].get<std::vector<std::string>>();
  } else {
    option.names = {text_of(json, "name")};
  }
  option.value = json.contains("names") ? text_of(json, "value") : option.names.front();
  option.help = text_of(json, "help");
  option.group = "Options";
  option.values = json.value("values", std::vector<std::string>());
  option.is_list = json.value("list", false);
  const std::map<std::string, const char*> kinds{{"allocators", "ALLOCATOR"},
                                                 {"backends", "BACKEND"},
                                                 {"models", "MODEL"},
                                                 {"protocols", "PROTOCOL"},
                                                 {"files", kFileKind}};
  const auto kind = kinds.find(text_of(json, "complete"));
  if (kind != kinds.end()) option.kind = kind->second;
  return option;
}

}  // namespace

VerbGrammar laboratory_grammar(const Verb& verb, const std::vector<std::string>& typed) {
  VerbGrammar grammar;
  grammar.name = verb.app->get_name();
  grammar.help = verb.app->get_description();
  grammar.usage = "mmt " + grammar.name + " [options]";
  std::vector<std::string> words{own_path(), grammar.name, "--grammar"};
  words.insert(words.end(), typed.begin(), typed.end());
  const Json json = Json::parse(output_of(std::move(words)), nullptr, false);
  if (!json.is_object()) return grammar;
  if (const std::string usage = text_of(json, "usage"); !usage.empty()) grammar.usage = usage;
  if (const std::string help = text_of(json, "help"); !help.empty()) grammar.help = help;
  for (const Json& one : json.value("positionals", Json::array())) {
    grammar.operands.push_back(option_of(one));
  }
  for (const Json& one : json.value("options", Json::array())) {
    grammar.options.push_back(option_of(one));
  }
  for (const Json& one : json.value("examples", Json::array())) {
    if (one.is_array() && one.size() == 2) grammar.examples.push_back({one[0], one[1]});
  }
  grammar.takes_command = grammar.usage.find(" -- ") != std::string::npos;
  return grammar;
}

}  // namespace mmt::cli
