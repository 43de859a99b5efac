#include "tracing/unrecorded.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "programs/supervise.h"

namespace mmt::tracing {

using programs::own_children;

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libmmt-trace.so";
// Nothing is told of what a program of other rights executes.
constexpr std::pair<std::uint64_t, std::uint64_t> kSecret{0, 1};

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

// The file in a line of /proc/PID/maps, "7f00-7f01 rw-s 00000000 00:1a 4711    /dev/shm/...":
// "00:1a 4711".
std::string file_in(const std::string& line) {
  std::istringstream words(line);
  std::string ignored;
  std::string device;
  std::string inode;
  words >> ignored >> ignored >> ignored >> device >> inode;
  return device + " " + inode;
}

// Whether it has got other rights than this process's, as a program of another user's gives that
// is made to (setuid, setgid). What it maps is its secret then.
bool has_other_rights(pid_t process) {
  std::ifstream lines(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    id_t real = 0;
    id_t effective = 0;
    words >> name >> real >> effective;
    if (name == "Uid:" && effective != ::geteuid()) return true;
    if (name == "Gid:") return effective != ::getegid();
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

Unrecorded::Image Unrecorded::image_of(pid_t process) {
  struct stat status {};
  if (::stat(fmt::format("/proc/{}/exe", process).c_str(), &status) == 0) {
    return {status.st_dev, status.st_ino};
  }
  const bool is_refused = errno == EACCES || errno == EPERM;
  return is_refused && has_other_rights(process) ? kSecret : Image{};
}

int Unrecorded::patience_with(pid_t process) const {
  std::ifstream lines(fmt::format("/proc/{}/maps", process));
  std::string line;
  bool has_library = false;
  bool has_any = false;
  for (; std::getline(lines, line); has_any = true) {
    if (pools_.contains(file_in(line))) return 0;
    has_library = has_library || line.find(kLibrary) != std::string::npos;
  }
  if (!has_any) return 2;
  return has_library ? 4 : 2;
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
  if (known.image != image) known = {image, State::kSuspect};
  if (known.state == State::kRecorded) return;
  const int patience = patience_with(process);
  if (patience == 0) {
    known.state = State::kRecorded;
    has_told(process);
    return;
  }
  if (known.state == State::kUnrecorded || ++known.looks < patience) return;
  const std::string command = command_of(process);
  if (command.empty()) return;  // it is ending
  known.state = State::kUnrecorded;
  found_.push_back({image, {process, parent, command}});
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

}  // namespace mmt::tracing
