// Making, reading and removing the folder of statistics pages.
#include "cli/stats/page_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/stats/process_tree.h"
#include "observe/stats_page.h"

namespace mmt::cli {
namespace {

namespace fs = std::filesystem;
using observe::PageFile;
using observe::Stat;

// What a folder is called until its owner has locked it.
constexpr const char* kNewFolderPrefix = "mmt-new-stats-";
// A younger one of that name may be about to be locked.
constexpr std::chrono::minutes kAbandonedFor{1};
// Pages of some 4 KiB each.
constexpr std::size_t kMostUnread = 256;

std::vector<std::string> candidates() {
  const char* temporary = std::getenv("TMPDIR");
  return {"/dev/shm", temporary != nullptr && *temporary != '\0' ? temporary : "/tmp"};
}

// A descriptor that holds the folder's lock, or -1: somebody else has it.
int locked(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

bool is_young(const fs::path& path) {
  std::error_code ignored;
  const auto changed = fs::last_write_time(path, ignored);
  return fs::file_time_type::clock::now() - changed < kAbandonedFor;
}

// What an `mmt run --stats` that was killed has left. The system lets go of a lock when its owner
// ends, however that is.
void remove_abandoned(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_new = name.starts_with(kNewFolderPrefix);
    if (!is_new && !name.starts_with(kPageFolderPrefix)) continue;
    if (is_new && is_young(entry.path())) continue;
    const int lock = locked(entry.path().string());
    if (lock < 0) continue;
    fs::remove_all(entry.path(), ignored);
    ::close(lock);
  }
}

// The path of a new folder, and the descriptor that holds its lock; nullopt, with errno, when none
// can be made. It gets its name when it is locked: one of that name without a lock has no owner.
std::optional<std::pair<std::string, int>> make_locked(const std::string& parent) {
  std::string made = fmt::format("{}/{}XXXXXX", parent, kNewFolderPrefix);
  if (::mkdtemp(made.data()) == nullptr) return std::nullopt;
  const int lock = locked(made);
  const std::string path =
      fmt::format("{}/{}{}", parent, kPageFolderPrefix, made.substr(made.size() - 6));
  if (lock >= 0 && ::rename(made.c_str(), path.c_str()) == 0) return std::pair(path, lock);
  const int error = errno;
  ::rmdir(made.c_str());
  if (lock >= 0) ::close(lock);
  errno = error;
  return std::nullopt;
}

std::optional<PageFile> read_page(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  PageFile file{};
  const ssize_t size = ::pread(descriptor, &file, sizeof file, 0);
  ::close(descriptor);
  const bool is_page =
      size == static_cast<ssize_t>(sizeof file) &&
      std::memcmp(file.page.magic, observe::kStatsMagic, sizeof file.page.magic) == 0 &&
      file.page.version == observe::kStatsVersion;
  return is_page ? std::optional(file) : std::nullopt;
}

// The page is as old as the last look at the heap; a process that is killed takes no other.
ProcessPage parsed(const PageFile& file) {
  const std::size_t known = std::min<std::size_t>(file.page.count, std::size(observe::kStatFields));
  const std::uint64_t* const inherited = file.inherited;
  std::vector<std::uint64_t> values(file.page.values, file.page.values + known);
  raise_figure(values, Stat::kMostInUseBytes, file.peaks.used);
  raise_figure(values, Stat::kPeakHeldBytes, file.peaks.held);
  return {.process = static_cast<pid_t>(file.process),
          .program = {file.program, ::strnlen(file.program, sizeof file.program)},
          .is_forked = std::any_of(inherited, inherited + known, [](auto one) { return one != 0; }),
          .has_exited = file.ended_ns != 0,
          .opened_ns = file.opened_ns,
          .ended_ns = file.ended_ns,
          .values = std::move(values),
          .inherited = {inherited, inherited + known}};
}

bool has_ended(const PageFile& file) {
  return file.ended_ns != 0 || (::kill(static_cast<pid_t>(file.process), 0) != 0 && errno == ESRCH);
}

}  // namespace

bool is_page_folder(std::string_view path) {
  const std::size_t name = path.rfind('/', path.size() - 2);
  return path.size() > 1 && path.back() == '/' && name != std::string_view::npos &&
         path.substr(name + 1).starts_with(kPageFolderPrefix);
}

PageFolder::PageFolder() {
  int error = 0;
  for (const std::string& parent : candidates()) {
    remove_abandoned(parent);
    const auto made = make_locked(parent);
    if (!made) {
      error = errno;
      continue;
    }
    const auto& [path, lock] = *made;
    lock_ = lock;
    // Its user may change on the way, as a service does; others may add files, but see none.
    if (::geteuid() == 0) ::chmod(path.c_str(), 01733);
    news_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (news_ >= 0) ::inotify_add_watch(news_, path.c_str(), IN_CREATE);
    path_ = path + "/";
    return;
  }
  throw Failure(kRunFailed, fmt::format("cannot make a folder for statistics in '{}': {}",
                                        fmt::join(candidates(), "' or '"), std::strerror(error)));
}

PageFolder::~PageFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  for (const int one : {news_, lock_}) {
    if (one >= 0) ::close(one);
  }
}

bool PageFolder::is_filling() {
  alignas(inotify_event) std::array<char, 16384> events;
  ssize_t size = 0;
  while (news_ >= 0 && (size = ::read(news_, events.data(), events.size())) > 0) {
    for (std::size_t at = 0; at < static_cast<std::size_t>(size); ++begun_) {
      const auto* event = reinterpret_cast<const inotify_event*>(&events[at]);
      at += sizeof(inotify_event) + event->len;
    }
  }
  return begun_ >= kMostUnread;
}

std::vector<ProcessPage> PageFolder::take(bool all) {
  begun_ = 0;
  std::vector<ProcessPage> pages;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    const std::string path = entry.path().string();
    const auto file = read_page(path);
    if (!file || (!all && !has_ended(*file))) continue;
    pages.push_back(parsed(*file));
    ::unlink(path.c_str());
  }
  std::sort(pages.begin(), pages.end(),
            [](const auto& one, const auto& other) { return one.opened_ns < other.opened_ns; });
  return pages;
}

}  // namespace mmt::cli
