#include "cli/laboratory/laboratory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/laboratory/commit.h"
#include "command/failure.h"
#include "command/free_memory.h"
#include "programs/installation.h"
#include "tracefile/memory_bound.h"

namespace mmt::cli {

using command::Failure;
using command::kFailed;
using command::memory_by_default;
using programs::Command;
using programs::lab_folder;
using programs::libraries_folder;
using programs::own_path;
using programs::python_path;
using programs::scripts_folder;
using programs::suites_folder;
using programs::workloads_folder;

namespace {

namespace fs = std::filesystem;

std::string python() {
  const std::string path = python_path();
  if (::access(path.c_str(), X_OK) == 0) return path;
  throw Failure(kFailed,
                fmt::format("cannot use '{}': {} (apt-get install python3; MMT_LAB_PYTHON may name "
                            "another)",
                            path, std::strerror(errno)));
}

std::string laboratory() {
  const std::string folder = lab_folder();
  std::error_code ignored;
  if (fs::exists(fs::path(folder) / "__main__.py", ignored)) return folder;
  throw Failure(kFailed, fmt::format("there is no laboratory in '{}' (MMT_LAB may name another "
                                     "folder)",
                                     folder));
}

// Standard streams that are closed would become the next files that are opened. What stands in for
// them fails as a closed one does, when it is read or written.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest that is free
  }
}

}  // namespace

void require_laboratory() {
  python();
  laboratory();
}

void become_laboratory(const std::string& verb, const std::vector<std::string>& given) {
  const std::string interpreter = python();
  // -E -s: what the user has set up for own Python programs is none of the laboratory's. `-B`: it
  // may be installed where nobody may write. The full path is the name, since by a bare one Python
  // would look for its libraries beside whatever comes first in PATH.
  std::vector<std::string> words{interpreter, "-E", "-s", "-B", laboratory(), verb};
  words.insert(words.end(), given.begin(), given.end());
  ::setenv("MMT_LAB_BINARY", own_path().c_str(), 1);
  ::setenv("MMT_LAB_LIBRARIES", libraries_folder().c_str(), 1);
  ::setenv("MMT_LAB_WORKLOADS", workloads_folder().c_str(), 1);
  ::setenv("MMT_LAB_SUITES", suites_folder().c_str(), 1);
  ::setenv("MMT_LAB_SCRIPTS", scripts_folder().c_str(), 1);
  ::setenv("MMT_LAB_COMMIT", commit().c_str(), 1);
  const std::uint64_t bound = tracefile::MemoryBound::bytes();
  const std::uint64_t memory = bound != 0 ? bound : memory_by_default();
  ::setenv("MMT_LAB_MEMORY", std::to_string(memory).c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& one : words) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  occupy_standard_streams();
  ::execv(interpreter.c_str(), arguments.data());
  throw Failure(kFailed, fmt::format("cannot start '{}': {}", interpreter, std::strerror(errno)));
}

Verb add_laboratory_verb(CLI::App& root, const std::string& name, const std::string& help) {
  CLI::App* app = root.add_subcommand(name, help);
  app->set_help_flag();  // the laboratory has its own, and parses everything
  app->prefix_command();
  const auto run = [app](const Command& behind_marker) -> int {
    std::vector<std::string> words = app->remaining();
    if (!behind_marker.empty()) {
      words.emplace_back("--");
      words.insert(words.end(), behind_marker.begin(), behind_marker.end());
    }
    become_laboratory(app->get_name(), words);
  };
  Verb verb{app, run};
  verb.is_laboratory = true;
  return verb;
}

}  // namespace mmt::cli
