#include "cli/laboratory/commit.h"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "programs/installation.h"

namespace mmt::cli {

using programs::sources_folder;

namespace {

namespace fs = std::filesystem;

std::string in_quotes(std::string_view word) {
  std::string out = "'";
  for (const char one : word) out += one == '\'' ? std::string("'\\''") : std::string(1, one);
  return out + "'";
}

// What a command of the shell prints, without the last line's end; empty when it fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "re");
  if (pipe == nullptr) return "";
  std::string text;
  char piece[256];
  while (const std::size_t size = std::fread(piece, 1, sizeof piece, pipe)) {
    text.append(piece, size);
  }
  if (::pclose(pipe) != 0) return "";
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string commit() {
  const std::string sources = sources_folder();
  std::error_code ignored;
  if (fs::exists(fs::path(sources) / ".git", ignored)) {
    const std::string git = fmt::format("git -c safe.directory={0} -C {0}", in_quotes(sources));
    const std::string head = output_of(git + " rev-parse HEAD 2>/dev/null </dev/null");
    if (!head.empty()) {
      const bool changed =
          !output_of(git + " status --porcelain --untracked-files=no 2>/dev/null </dev/null")
               .empty();
      return changed ? head + " with changes" : head;
    }
  }
  return "mmt " MMT_VERSION;
}

}  // namespace mmt::cli
