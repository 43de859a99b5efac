// Making, reading and removing the folder of statistics pages.
#include "cli/stats/page_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/stats/page_files.h"
#include "command/failure.h"
#include "interprocess/stats_page.h"

namespace mmt::cli {

using command::Failure;
using command::kRunFailed;

namespace {

namespace fs = std::filesystem;
using observe::kRunFolderPrefix;

// What a folder is called until its owner has locked it.
constexpr const char* kNewFolderPrefix = "mmt-new-stats-";
// A younger one of that name may be about to be locked.
constexpr std::chrono::minutes kAbandonedFor{1};
// Pages of some 4 KiB each.
constexpr std::size_t kMostUnread = 256;
// Files that are not taken: those that are remembered, and those that are told of.
constexpr std::size_t kMostRefused = 1000;
constexpr std::size_t kMostTold = 4;

bool is_root() { return ::geteuid() == 0; }

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
    if (!is_new && !name.starts_with(kRunFolderPrefix)) continue;
    if (is_new && is_young(entry.path())) continue;
    // What others have left, others remove.
    struct stat status {};
    if (::lstat(entry.path().c_str(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    const int lock = locked(entry.path().string());
    if (lock < 0) continue;
    fs::remove_all(entry.path(), ignored);
    ::close(lock);
  }
}

// The path of a new folder, and the descriptor that holds its lock; nullopt, with errno, when none
// can be made. It gets its name when it is locked: one of that name without a lock has no owner.
std::optional<std::pair<std::string, int>> make_held(const std::string& parent) {
  std::string made = fmt::format("{}/{}XXXXXX", parent, kNewFolderPrefix);
  if (::mkdtemp(made.data()) == nullptr) return std::nullopt;
  const int lock = locked(made);
  const std::string path =
      fmt::format("{}/{}{}", parent, kRunFolderPrefix, made.substr(made.size() - 6));
  if (lock >= 0 && ::rename(made.c_str(), path.c_str()) == 0) return std::pair(path, lock);
  const int error = errno;
  ::rmdir(made.c_str());
  if (lock >= 0) ::close(lock);
  errno = error;
  return std::nullopt;
}

// 16 digits that nobody guesses.
std::string secret() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) return "";
  return fmt::format("{:016x}", number);
}

bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

// PREFIXxxxxxx.PROCESS.TIME
bool is_name_beside(const std::string& name) {
  constexpr std::size_t kRun = std::size(kRunFolderPrefix) - 1 + 6;
  const std::size_t dots = static_cast<std::size_t>(std::ranges::count(name, '.'));
  return name.starts_with(kRunFolderPrefix) && name.find('.') == kRun && dots == 2 &&
         name.find_first_not_of("0123456789.", kRun) == std::string::npos;
}

// The process of such a name; 0: it is no such name.
pid_t process_beside(const std::string& name) {
  if (!is_name_beside(name)) return 0;
  const std::size_t from = name.find('.') + 1;
  const std::size_t digits = name.find('.', from) - from;
  return digits == 0 || digits > 9 ? 0 : std::stoi(name.substr(from, digits));
}

// Files beside folders of runs that are over.
void remove_left_beside(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string run = name.substr(0, name.find('.'));
    if (!is_name_beside(name) || ::access(fmt::format("{}/{}", parent, run).c_str(), F_OK) == 0)
      continue;
    ::unlink(entry.path().c_str());
  }
}

}  // namespace

PageFolder::PageFolder() {
  static_assert(observe::kToldBytes == 16);
  told_ = secret();
  int error = told_.empty() ? EAGAIN : 0;
  for (const std::string& parent : told_.empty() ? std::vector<std::string>{} : candidates()) {
    remove_abandoned(parent);
    const auto made = make_held(parent);
    if (!made) {
      error = errno;
      continue;
    }
    const auto& [path, lock] = *made;
    lock_ = lock;
    parent_ = parent;
    run_ = path.substr(parent.size() + 1);
    path_ = fmt::format("{}/{}/", path, told_);
    if (::mkdir(path_.c_str(), S_IRWXU) != 0) {
      error = errno;
      break;
    }
    news_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (news_ >= 0) ::inotify_add_watch(news_, path_.c_str(), IN_CREATE);
    // Its user may change on the way, as a service does.
    if (news_ >= 0 && is_root())
      news_beside_ = ::inotify_add_watch(news_, parent.c_str(), IN_CREATE);
    return;
  }
  throw Failure(kRunFailed, fmt::format("cannot make a folder for statistics in '{}': {}",
                                        fmt::join(candidates(), "' or '"), std::strerror(error)));
}

PageFolder::~PageFolder() {
  std::error_code ignored;
  fs::remove_all(fs::path(parent_) / run_, ignored);
  if (is_root()) remove_left_beside(parent_);
  for (const int one : {news_, lock_}) {
    if (one >= 0) ::close(one);
  }
}

bool PageFolder::is_filling() {
  alignas(inotify_event) std::array<char, 16384> events;
  ssize_t size = 0;
  while (news_ >= 0 && (size = ::read(news_, events.data(), events.size())) > 0) {
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const auto* event = reinterpret_cast<const inotify_event*>(&events[at]);
      const std::string_view name(event->name, ::strnlen(event->name, event->len));
      if (event->wd != news_beside_ || name.starts_with(run_ + ".")) ++begun_;
      at += sizeof(inotify_event) + event->len;
    }
  }
  return begun_ >= kMostUnread;
}

std::string PageFolder::doubt_about(const FoundPage& found, uid_t folder_owner,
                                    bool is_beside) const {
  const ProcessPage& page = found.claim.page;
  if (!found.claim.doubt.empty() || !found.claim.is_page) return found.claim.doubt;
  if (!is_beside && found.owner == folder_owner) return "";
  if (!is_beside) return fmt::format("it is of user {}", found.owner);
  if (page.told != told_) return "it does not know this run";
  if (may_be_of(page.process, found.owner)) return "";
  return fmt::format("process {} is not of user {}", page.process, found.owner);
}

// An unfinished file is in doubt unless a process may be about to write it. That process lives, is
// of the file's user, and has one such file.
std::string PageFolder::doubt_about_unfinished(const FoundPage& found, const std::string& name,
                                               std::set<pid_t>& unfinished) {
  const pid_t process = process_beside(name);
  if (process == 0) return "it has no name of a statistics page";
  if (is_gone(process)) return fmt::format("it is empty, and process {} has ended", process);
  if (!may_be_of(process, found.owner))
    return fmt::format("process {} is not of user {}", process, found.owner);
  return unfinished.insert(process).second ? "" : fmt::format("process {} has others", process);
}

void PageFolder::refuse(const std::string& path, const std::string& doubt) {
  ++refused_count_;
  if (refusals_.size() < kMostTold)
    refusals_.push_back(fmt::format("'{}' is not taken for statistics: {}", path, doubt));
}

std::vector<std::string> PageFolder::refusals() const {
  std::vector<std::string> lines = refusals_;
  if (const std::size_t more = refused_count_ - lines.size(); more != 0)
    lines.push_back(fmt::format("and so are {} more files", more));
  return lines;
}

// Files that are taken are removed. Refused files beside the folder are removed, too, as anybody
// can make any number of files there. No file that can be removed is looked at twice.
void PageFolder::take_from(const std::string& folder, bool all, std::vector<ProcessPage>& pages) {
  const bool is_beside = folder == parent_;
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat own {};
  if (descriptor < 0 || ::fstat(descriptor, &own) != 0) return;
  std::set<pid_t> unfinished;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string path = entry.path().string();
    if (is_beside && !name.starts_with(run_ + ".")) continue;
    if (refused_.contains(path)) continue;
    FoundPage found = read_page_file(descriptor, name);
    if (found.is_gone) continue;
    std::string doubt = doubt_about(found, own.st_uid, is_beside);
    if (is_beside && doubt.empty() && !found.claim.is_page)
      doubt = doubt_about_unfinished(found, name, unfinished);
    if (!doubt.empty()) {
      refuse(path, doubt);
      if (is_beside && ::unlinkat(descriptor, name.c_str(), 0) == 0) continue;
      if (refused_.size() < kMostRefused) refused_.insert(path);
      continue;
    }
    ProcessPage& page = found.claim.page;
    if (!found.claim.is_page || (!all && !page.has_exited && !is_gone(page.process))) continue;
    pages.push_back(std::move(page));
    ::unlinkat(descriptor, name.c_str(), 0);
  }
  ::close(descriptor);
}

std::vector<ProcessPage> PageFolder::take(bool all) {
  begun_ = 0;
  std::vector<ProcessPage> pages;
  take_from(path_, all, pages);
  if (is_root()) take_from(parent_, all, pages);
  std::sort(pages.begin(), pages.end(),
            [](const auto& one, const auto& other) { return one.opened_ns < other.opened_ns; });
  return pages;
}

}  // namespace mmt::cli
