// The dynamic linker's own list of libraries.
#include "programs/needed_libraries.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "interprocess/sanitizers.h"

namespace mmt::programs {
namespace {

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> piece;
  while (true) {
    const ssize_t size = ::read(descriptor, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
}

// Lines such as "\tlibc.so.6 => /lib/libc.so.6 (0x00007f...)"; empty when it cannot be had.
std::string list_libraries(const std::string& linker, const std::string& program) {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::array<const char*, 4> words{linker.c_str(), "--list", program.c_str(), nullptr};
  pid_t child = -1;
  const bool started = ::posix_spawn(&child, linker.c_str(), &actions, nullptr,
                                     const_cast<char* const*>(words.data()), environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  const std::string list = started ? read_all(ends[0]) : "";
  ::close(ends[0]);
  while (started && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return list;
}

}  // namespace

std::optional<NeededSanitizer> needed_sanitizer(const std::string& linker,
                                                const std::string& program) {
  const std::string list = list_libraries(linker, program);
  std::string_view rest = list;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::string_view path = line.substr(0, line.find(' '));
    const core::Text needed{path.data(), path.size()};
    const names::Sanitizer* sanitizer = names::sanitizer_of(needed);
    if (sanitizer == nullptr) continue;
    const core::Text file = core::file_name(needed);
    return NeededSanitizer{std::string(file.data, file.size), sanitizer->name};
  }
  return std::nullopt;
}

}  // namespace mmt::programs
