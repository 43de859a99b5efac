#include "cli/trace/unrecorded.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/stats/supervise.h"

namespace mmt::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libmmt-trace.so";

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code error;
  const std::string folder = fmt::format("/proc/{}/task", process);
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::ifstream file(at->path() / "children");
    children.insert(children.end(), std::istream_iterator<pid_t>(file), {});
  }
  return children;
}

bool has_library(pid_t process) {
  std::ifstream lines(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(lines, line);) {
    if (line.find(kLibrary) != std::string::npos) return true;
  }
  return false;
}

std::string command_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", process));
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::replace(text.begin(), text.end(), '\0', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

// 0: it has ended, or must not be looked at.
Unrecorded::Image Unrecorded::image_of(pid_t process) {
  struct stat status {};
  if (::stat(fmt::format("/proc/{}/exe", process).c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

void Unrecorded::look(const std::set<pid_t>& others) {
  std::vector<std::pair<pid_t, pid_t>> left;  // a process, its parent
  for (const pid_t one : own_children()) {
    if (!others.contains(one)) left.emplace_back(one, 0);
  }
  std::set<pid_t> seen;
  while (!left.empty()) {
    const auto [process, parent] = left.back();
    left.pop_back();
    if (!seen.insert(process).second) continue;
    look_at(process, parent);
    for (const pid_t child : children_of(process)) left.emplace_back(child, process);
  }
  std::erase_if(running_, [&](const auto& one) { return !seen.contains(one.first); });
}

void Unrecorded::look_at(pid_t process, pid_t parent) {
  const Image image = image_of(process);
  if (image == Image{}) return;
  const auto [at, is_new] = running_.try_emplace(process, Running{image, State::kSuspect});
  Running& known = at->second;
  const bool is_same = !is_new && known.image == image;
  if (is_same && known.state != State::kSuspect) return;
  const std::string command = command_of(process);  // empty: it is ending
  if (has_library(process)) {
    known = {image, State::kRecorded};
  } else if (!is_same || command.empty()) {
    known = {image, State::kSuspect};  // its loader may not have come so far
  } else {
    known.state = State::kUnrecorded;
    found_.push_back({image, {process, parent, command}});
  }
}

void Unrecorded::has_told(pid_t process) {
  const Image image = image_of(process);
  std::erase_if(found_, [&](const Found& one) {
    return one.program.process == process && (image == Image{} || one.image == image);
  });
}

std::vector<Unrecorded::Program> Unrecorded::programs() const {
  std::vector<Program> all;
  for (const Found& one : found_) all.push_back(one.program);
  return all;
}

}  // namespace mmt::cli
