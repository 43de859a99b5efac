#include "tracing/running.h"

#include <signal.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <mmt/sys/file.h>

namespace mmt::tracing {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestStatus = 8192;
constexpr int kThreadsField = 17;  // in /proc/PID/stat, from that of the state on

// Empty: it cannot be read, as that of a process that has ended.
std::string read_text(const std::string& path) {
  std::string text(kLongestStatus, '\0');
  const long size = sys::read_file(path.c_str(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

std::uint64_t pid_space_in(const std::string& folder) {
  struct stat status {};
  return ::stat((folder + "/ns/pid").c_str(), &status) == 0 ? status.st_ino : 0;
}

// What stands behind "\nNAME:\t"; empty: nothing.
std::string line_of(const std::string& status, const std::string& name) {
  const std::string mark = "\n" + name + ":\t";
  const std::size_t start = status.find(mark);
  if (start == std::string::npos) return "";
  const std::size_t from = start + mark.size();
  return status.substr(from, status.find('\n', from) - from);
}

// A process's ids from the outermost namespace that /proc tells of to its own.
std::vector<pid_t> ids_in(const std::string& status) {
  std::istringstream text(line_of(status, "NSpid"));
  return {std::istream_iterator<pid_t>(text), {}};
}

}  // namespace

std::uint64_t own_pid_space() { return pid_space_in("/proc/self"); }

std::uint64_t pid_space_of(pid_t process) { return pid_space_in(fmt::format("/proc/{}", process)); }

bool is_running(pid_t process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  std::string text(512, '\0');
  const long size =
      sys::read_file(fmt::format("/proc/{}/stat", process).c_str(), text.data(), text.size());
  if (size <= 0) return size != -ESRCH && size != -ENOENT;
  const std::size_t behind_name = text.rfind(") ");
  if (behind_name == std::string::npos || text[behind_name + 2] != 'Z') return true;
  // Its first thread may have ended before others.
  std::istringstream words(text.substr(behind_name + 2));
  std::string ignored;
  for (int before = 0; before < kThreadsField; ++before) words >> ignored;
  long threads = 0;
  words >> threads;
  return threads > 1;
}

std::string name_of(pid_t process) {
  const std::string text = read_text(fmt::format("/proc/{}/comm", process));
  return text.substr(0, text.find('\n'));
}

std::uint64_t most_memory_of(pid_t process) {
  const std::string status = read_text(fmt::format("/proc/{}/status", process));
  return std::strtoull(line_of(status, "VmPeak").c_str(), nullptr, 10) << 10;
}

void RunningBelow::look() {
  known_.clear();
  of_unknown_space_.clear();
  std::error_code error;
  const std::uint64_t own = own_pid_space();
  const std::size_t depth = ids_in(read_text("/proc/self/status")).size();
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string folder = at->path().string();
    if (folder.find_first_of("0123456789") != sizeof "/proc/" - 1) continue;
    const std::uint64_t pid_space = pid_space_in(folder);
    if (pid_space != 0 && pid_space == own) continue;
    const std::string status = read_text(folder + "/status");
    if (status.empty()) continue;
    const bool has_others = std::atol(line_of(status, "Threads").c_str()) > 1;
    if (line_of(status, "State").starts_with('Z') && !has_others) continue;
    const std::vector<pid_t> ids = ids_in(status);
    if (ids.size() <= depth) continue;  // one that is not below
    if (pid_space != 0) {
      known_.emplace(pid_space, ids.back());
    } else {
      of_unknown_space_.insert(ids.back());
    }
  }
  is_blind_ = static_cast<bool>(error) || own == 0 || depth == 0;
}

bool RunningBelow::contains(std::uint64_t pid_space, pid_t process) const {
  return is_blind_ || pid_space == 0 || of_unknown_space_.contains(process) ||
         known_.contains({pid_space, process});
}

}  // namespace mmt::tracing
