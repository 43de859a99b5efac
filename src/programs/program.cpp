// Finding and judging the program of `mmt run`.
#include "programs/program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "command/failure.h"
#include "interprocess/sanitizers.h"
#include "programs/elf.h"
#include "programs/needed_libraries.h"

namespace mmt::programs {

using command::Failure;
using command::kNotExecutable;
using command::kNotFound;

namespace {

// The kernel follows this many scripts that name scripts.
constexpr int kMaxScripts = 5;
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

// Commands without a program of their own.
constexpr std::array<std::string_view, 9> kShellWords{"alias",  "cd",     "exec", "export", "set",
                                                      "source", "ulimit", "if",   "for"};

// 0 when the file can be executed, else the errno of execve(2).
int execution_error(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// What runs a script of this name's suffix; empty: unknown.
std::string_view interpreter_of_suffix(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kKnown{
      {{".py", "python3"}, {".sh", "sh"}, {".pl", "perl"}, {".rb", "ruby"}, {".lua", "lua"}}};
  for (const auto& [suffix, interpreter] : kKnown) {
    if (name.ends_with(suffix)) return interpreter;
  }
  return {};
}

// What execvp(name) would start, and else its errno; a word without a slash is looked for in PATH.
struct Found {
  std::string path;
  int error = ENOENT;
};

Found search(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name, execution_error(name)};
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : kDefaultPath;
  int refusal = 0;
  while (true) {
    const std::size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    const std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    const int error = execution_error(candidate);
    if (error == 0) return {candidate, 0};
    if (error == EACCES && refusal == 0) refusal = error;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return {"", refusal != 0 ? refusal : ENOENT};
}

// The advice on a command line given as one word.
std::string advice_on_quotes(const std::string& name) {
  if (name.find_first_of("|<>;&$`*") == std::string::npos)
    return fmt::format("; did you mean it without quotes, -- {}?", name);
  return fmt::format("; did you mean sh -c, which understands such a line: -- sh -c '{}'?", name);
}

// Tells what was probably meant: a command line given as one word, a variable, a word that only a
// shell knows, or a script. It may also be a file of the current folder, which is not searched.
std::string advice(const std::string& name) {
  const std::size_t blank = name.find(' ');
  if (blank != std::string::npos && is_program(name.substr(0, blank))) {
    return advice_on_quotes(name);
  }
  if (name == "--") return "; one -- is enough";
  const std::size_t equals = name.find('=');
  if (equals != std::string::npos && equals != 0 && name.find('/') > equals)
    return fmt::format("; a variable is set by env: -- env {} program", name);
  if (std::ranges::find(kShellWords, name) != kShellWords.end())
    return fmt::format("; only a shell knows it: -- sh -c '{} ...'", name);
  const bool is_word = !name.empty() && name.find('/') == std::string::npos;
  const int error = execution_error(name);
  if (is_word && error == 0) return fmt::format("; did you mean './{}'?", name);
  struct stat status {};
  if (error != EACCES || ::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  const std::string_view interpreter = interpreter_of_suffix(name);
  if (!interpreter.empty())
    return fmt::format("; it is not executable: did you mean '{} {}'?", interpreter, name);
  return is_word ? fmt::format("; the file './{}' is not executable", name) : "";
}

[[noreturn]] void cannot_execute(const std::string& name, int error) {
  const bool absent = error == ENOENT || error == ENOTDIR;
  throw Failure(absent ? kNotFound : kNotExecutable,
                fmt::format("cannot run '{}': {}{}", name, std::strerror(error), advice(name)));
}

// A change of identity at exec makes the dynamic linker ignore LD_PRELOAD.
std::optional<Obstacle> privilege_obstacle(const std::string& path) {
  struct stat status {};
  struct statvfs file_system {};
  if (::stat(path.c_str(), &status) != 0 || ::statvfs(path.c_str(), &file_system) != 0) return {};
  if ((file_system.f_flag & ST_NOSUID) != 0 || ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) {
    return {};
  }
  const char* kind = nullptr;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid()) kind = "setuid";
  // Without group execution the bit meant mandatory locking.
  constexpr mode_t kSetGroup = S_ISGID | S_IXGRP;
  if ((status.st_mode & kSetGroup) == kSetGroup && status.st_gid != ::getgid()) kind = "setgid";
  if (::getuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) {
    kind = "privileged by file capabilities";
  }
  if (kind == nullptr) return {};
  return Obstacle{ObstacleKind::kPrivilege,
                  fmt::format("it is {}, so the system ignores LD_PRELOAD for it", kind), false};
}

std::optional<Obstacle> linkage_obstacle(const std::string& path) {
  const auto file = ElfFile::open(path);
  if (!file) return {};
  if (!file->image().native) {
    return Obstacle{ObstacleKind::kMachine,
                    fmt::format("it is built for {}, MMT is not", file->image().machine), true};
  }
  const auto linker = file->interpreter();
  const std::string_view base = std::string_view(path).substr(path.rfind('/') + 1);
  if (!linker) {
    // The dynamic linker itself, used as a command, names none but preloads.
    if (base.starts_with("ld-linux") || base.starts_with("ld.so")) return {};
    return Obstacle{ObstacleKind::kStatic,
                    "it is statically linked, so no library can be loaded into it", false};
  }
  if (linker->find("/ld-linux") == std::string::npos &&
      linker->find("/ld64.so") == std::string::npos) {
    return Obstacle{ObstacleKind::kLinker,
                    fmt::format("its dynamic linker is {}, MMT needs that of glibc", *linker),
                    true};
  }
  if (file->defines("malloc")) {
    if (file->asks_for(names::kAskedForBySanitizers)) {
      return Obstacle{ObstacleKind::kSanitizer,
                      "it has a sanitizer linked in, which brings a malloc of its own", true};
    }
    return Obstacle{ObstacleKind::kOwnAllocator,
                    "it brings an allocator of its own, which goes before any library", false};
  }
  return {};
}

std::optional<Obstacle> sanitizer_obstacle(const std::string& path) {
  const auto file = ElfFile::open(path);
  const auto linker = file ? file->interpreter() : std::nullopt;
  if (!linker) return {};
  const auto sanitizer = needed_sanitizer(*linker, path);
  if (!sanitizer) return {};
  return Obstacle{ObstacleKind::kSanitizer,
                  fmt::format("it needs {}, {}'s, which brings a malloc of its own",
                              sanitizer->library, sanitizer->name),
                  true};
}

// The first line of a script.
struct ScriptLine {
  std::string interpreter;
  std::string argument;  // all the rest is one
};

std::optional<ScriptLine> script_line(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::array<char, 256> start;
  const ssize_t size = ::read(descriptor, start.data(), start.size());
  ::close(descriptor);
  if (size < 2) return {};
  std::string_view line(start.data(), static_cast<std::size_t>(size));
  if (!line.starts_with("#!")) return {};
  line = line.substr(2, line.find('\n') - 2);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  // As the kernel reads it: a carriage return is part of the name.
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  if (end == 0) return {};
  ScriptLine found{std::string(line.substr(0, end)), {}};
  line.remove_prefix(end);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  found.argument = line.substr(0, line.find_last_not_of(" \t") + 1);
  return found;
}

bool is_text(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0 && !ElfFile::open(path);
}

// What `env ARGUMENT script` starts; nullopt where that is not plain to see.
std::optional<std::string> started_by_env(std::string_view argument) {
  if (argument.starts_with("-S")) {
    argument.remove_prefix(2);
    argument.remove_prefix(std::min(argument.find_first_not_of(" \t"), argument.size()));
    argument = argument.substr(0, argument.find_first_of(" \t"));
  }
  if (argument.empty() || argument.find_first_of("-=\\\"'$ \t") == 0 ||
      argument.find_first_of("=\\\"'$ \t") != std::string_view::npos)
    return {};
  const Found found = search(std::string(argument));
  if (found.error != 0) return {};
  return found.path;
}

// What `judge` says of the program, or of the interpreter of the script that it is.
template <class Judge>
std::optional<Obstacle> judge_interpreted(const std::string& path, Judge judge) {
  const std::string file = program_of_script(path);
  std::optional<Obstacle> obstacle = judge(file);
  if (obstacle && file != path) {
    obstacle->reason = fmt::format("it is a script for '{}': {}", file, obstacle->reason);
  }
  return obstacle;
}

}  // namespace

const char* kind_name(ObstacleKind kind) {
  constexpr std::array kNames{"privilege", "machine",   "static",
                              "linker",    "sanitizer", "own_allocator"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool brings_allocator(const std::string& path) {
  const auto file = ElfFile::open(path);
  return file && file->image().native && file->defines("malloc");
}

std::string find_program(const std::string& name) {
  if (name.empty()) cannot_execute(name, ENOENT);
  const Found found = search(name);
  if (found.error != 0) cannot_execute(name, found.error);
  return found.path;
}

bool is_program(const std::string& name) { return !name.empty() && search(name).error == 0; }

std::optional<std::string> script_interpreter(const std::string& path) {
  auto line = script_line(path);
  if (!line) return {};
  return std::move(line->interpreter);
}

std::string program_of_script(const std::string& path) {
  std::string file = path;
  for (int depth = 0; depth < kMaxScripts; ++depth) {
    const auto line = script_line(file);
    if (!line && depth == 0 && is_text(file)) return kShell;
    if (!line) break;
    file = line->interpreter;
    const bool is_env = file.substr(file.rfind('/') + 1) == "env";
    if (const auto program = is_env ? started_by_env(line->argument) : std::nullopt) {
      file = *program;
    }
  }
  return file;
}

std::optional<Obstacle> find_obstacle(const std::string& path) {
  return judge_interpreted(path, [](const std::string& file) {
    auto obstacle = privilege_obstacle(file);
    return obstacle ? obstacle : linkage_obstacle(file);
  });
}

std::optional<Obstacle> find_obstacle_in_libraries(const std::string& path) {
  return judge_interpreted(path, sanitizer_obstacle);
}

}  // namespace mmt::programs
