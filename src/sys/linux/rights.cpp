#include <fcntl.h>
#include <linux/capability.h>
#include <linux/prctl.h>
#include <sys/stat.h>

#include <cstring>

#include <mmt/sys/clock.h>
#include <mmt/sys/last_thread.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "sys/linux/status_text.h"

namespace mmt::sys {
namespace {

constexpr const char* kThreads = "/proc/self/task";
// After so long without a look the thread has slept.
constexpr uint64_t kSleepNs = 10 * kNanosAMilli;
// No less often than this it looks at all.
constexpr uint64_t kLongNs = 250 * kNanosAMilli;
// No more often than this it looks briefly: one system call.
constexpr uint64_t kBriefNs = kNanosAMilli / 20;

struct Capabilities {  // as capget and capset have them
  uint32_t effective;
  uint32_t permitted;
  uint32_t inheritable;
};

struct CapabilityHeader {
  uint32_t version = _LINUX_CAPABILITY_VERSION_3;
  int32_t thread = 0;
};

bool get_capabilities(uint32_t thread, Capabilities (&found)[2]) {
  CapabilityHeader header;
  header.thread = static_cast<int32_t>(thread);
  return raw_syscall(SYS_capget, pointer_argument(&header), pointer_argument(found)) == 0;
}

bool set_capabilities(const Capabilities (&wanted)[2]) {
  CapabilityHeader header;
  return raw_syscall(SYS_capset, pointer_argument(&header), pointer_argument(wanted)) == 0;
}

// "NUMBER/FILE", or the number alone.
class ThreadPath {
 public:
  ThreadPath(const char* before, uint32_t thread, const char* behind) {
    char digits[10];
    size_t count = 0;
    for (; thread != 0; thread /= 10) digits[count++] = static_cast<char>('0' + thread % 10);
    append(before);
    while (count != 0) text_[size_++] = digits[--count];
    append(behind);
    text_[size_] = '\0';
  }
  const char* text() const { return text_; }

 private:
  void append(const char* part) {
    for (; *part != '\0'; ++part) text_[size_++] = *part;
  }
  char text_[64];
  size_t size_ = 0;
};

class OpenFile {
 public:
  OpenFile(long folder, const char* path, long flags)
      : descriptor_(raw_syscall(SYS_openat, folder, pointer_argument(path), flags | O_CLOEXEC)) {}
  ~OpenFile() {
    if (is_open()) raw_syscall(SYS_close, descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  long descriptor() const { return descriptor_; }
  long read(char* to, size_t bytes) const {
    return raw_syscall(SYS_read, descriptor_, pointer_argument(to), static_cast<long>(bytes));
  }

 private:
  long descriptor_;
};

// A thread's users, groups and control groups. 0: it has ended, or cannot be read.
uint64_t marks_of(long folder, uint32_t thread) {
  char text[2048];
  StatusText status;
  {
    const OpenFile file(folder, ThreadPath("", thread, "/status").text(), O_RDONLY);
    if (!file.is_open()) return 0;
    long bytes;
    do {
      bytes = file.read(text, sizeof text);
    } while (bytes > 0 && status.read(text, static_cast<size_t>(bytes)));
  }
  if (status.has_ended() || status.is_kernels() || !status.is_whole()) return 0;
  uint64_t marks = status.hash();
  const OpenFile file(folder, ThreadPath("", thread, "/cgroup").text(), O_RDONLY);
  for (long bytes; file.is_open() && (bytes = file.read(text, sizeof text)) > 0;) {
    for (long i = 0; i < bytes; ++i)
      marks = (marks ^ static_cast<unsigned char>(text[i])) * 1099511628211u;
  }
  return marks == 0 ? 1 : marks;
}

uint32_t number_of(const char* name) {
  uint32_t number = 0;
  for (; *name >= '0' && *name <= '9'; ++name)
    number = number * 10 + static_cast<uint32_t>(*name - '0');
  return number;
}

// The thread is on its last steps, or gone: what was read of it before may be half of what it had.
bool is_ending(long folder, uint32_t thread) {
  constexpr int kFlagsAfterName = 7;    // words
  constexpr unsigned long kEnding = 4;  // the kernel's PF_EXITING
  char text[512];
  const OpenFile file(folder, ThreadPath("", thread, "/stat").text(), O_RDONLY);
  const long bytes = file.is_open() ? file.read(text, sizeof text - 1) : 0;
  if (bytes <= 0) return true;
  text[bytes] = '\0';
  const char* at = std::strrchr(text, ')');
  for (int word = 0; at != nullptr && word < kFlagsAfterName; ++word) at = std::strchr(at + 1, ' ');
  return at != nullptr && (number_of(at + 1) & kEnding) != 0;
}

// The thread has run. Until then it is in no control group, as the kernel says, and has done
// nothing. True as well where the kernel does not say.
bool has_begun(long folder, uint32_t thread) {
  constexpr int kTurnsAfter = 2;  // numbers before that of its turns on a CPU
  char text[96];
  const OpenFile file(folder, ThreadPath("", thread, "/schedstat").text(), O_RDONLY);
  const long bytes = file.is_open() ? file.read(text, sizeof text - 1) : 0;
  if (bytes <= 0) return true;
  text[bytes] = '\0';
  const char* at = text;
  for (int number = 0; at != nullptr && number < kTurnsAfter; ++number)
    at = std::strchr(at + 1, ' ');
  return at == nullptr || number_of(at + 1) != 0;
}

// The process's threads, as their folder has so many links more than an empty one. 0: the kernel
// does not say.
unsigned long count_threads() {
  constexpr unsigned long kOfNone = 2;
  struct stat folder {};
  const long result = raw_syscall(SYS_newfstatat, AT_FDCWD, pointer_argument(kThreads),
                                  pointer_argument(&folder), 0);
  return result != 0 || folder.st_nlink < kOfNone ? 0 : folder.st_nlink - kOfNone;
}

struct Entry {  // the kernel's struct linux_dirent64
  uint64_t inode;
  int64_t next;
  uint16_t size;
  uint8_t kind;
  char name[1];
};

}  // namespace

// A kernel without filters knows no such request.
bool is_filtered() {
  constexpr long kUnknownRequest = -22;  // EINVAL
  const long mode = raw_syscall(SYS_prctl, PR_GET_SECCOMP);
  return mode != 0 && mode != kUnknownRequest;
}

// None is taken into effect for this: it would be more than the program's threads have.
Kept give_up_capabilities(uint64_t kept) {
  constexpr long kNoSuchCapability = -22;  // EINVAL
  Capabilities own[2];
  if (!get_capabilities(0, own)) return Kept::kUnknown;
  long dropped = 0;
  for (long one = 0; dropped == 0; ++one)
    dropped = raw_syscall(SYS_prctl, PR_CAPBSET_DROP, one, 0, 0, 0);
  raw_syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned i = 0; i < 2; ++i) {
    own[i].permitted &= static_cast<uint32_t>(kept >> (32 * i));
    own[i].effective &= own[i].permitted;
    own[i].inheritable = 0;
  }
  const bool is_done = set_capabilities(own);
  if (raw_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !is_done)
    return Kept::kUnknown;
  return dropped == kNoSuchCapability ? Kept::kNothing : Kept::kBoundingSet;
}

bool give_up_capabilities_as(uint32_t of) {
  Capabilities theirs[2];
  Capabilities own[2];
  if (!get_capabilities(of, theirs) || !get_capabilities(0, own)) return false;
  for (unsigned i = 0; i < 2; ++i) {
    own[i].permitted &= theirs[i].permitted;
    own[i].effective = own[i].permitted & theirs[i].effective;
    own[i].inheritable &= theirs[i].inheritable;
  }
  return set_capabilities(own);
}

bool use_all_capabilities() {
  Capabilities own[2];
  if (!get_capabilities(0, own)) return false;
  for (Capabilities& half : own) half.effective = half.permitted;
  return set_capabilities(own);
}

void wait_until_uncounted(uint32_t thread) {
  constexpr uint32_t kYields = 200;
  constexpr uint32_t kTurns = kYields + 10'000;
  Scheduling found{};
  for (uint32_t turn = 0; turn < kTurns && found.read(thread); ++turn) {
    if (turn < kYields)
      yield();
    else
      sleep_ns(50'000);
  }
}

bool has_other_threads() { return is_filtered() || count_threads() != 1; }

void RightsWatch::open(uint32_t self, uint32_t main) {
  *this = RightsWatch{};
  self_ = self;
  main_ = main;
  user_ = static_cast<uint32_t>(raw_syscall(SYS_geteuid));
  group_ = static_cast<uint32_t>(raw_syscall(SYS_getegid));
}

// A thread's folder belongs to whom the thread acts for, dumpable or not.
bool RightsWatch::has_main_changed() const {
  struct stat folder {};
  const ThreadPath path("/proc/self/task/", main_, "");
  const long result = raw_syscall(SYS_newfstatat, AT_FDCWD, pointer_argument(path.text()),
                                  pointer_argument(&folder), 0);
  return result == 0 && (folder.st_uid != user_ || folder.st_gid != group_);
}

Standing RightsWatch::look_if_due(uint64_t now_ns, bool at_length) {
  const uint64_t since = now_ns - last_ns_;
  last_ns_ = now_ns;
  if (young_until_ns_ == 0) young_until_ns_ = now_ns + kLongNs;
  const bool is_due = at_length || since >= kSleepNs || now_ns >= next_long_ns_;
  if (is_due && now_ns < young_until_ns_ && is_alone_with_main()) return look_by_calls();
  if (is_due) {
    next_long_ns_ = now_ns + kLongNs;
    return look();
  }
  if (now_ns < next_brief_ns_) return Standing::kAlike;
  next_brief_ns_ = now_ns + kBriefNs;
  // One that has ended keeps what it had.
  return !main_thread_has_ended() && has_main_changed() ? look() : Standing::kAlike;
}

struct RightsWatch::Round {
  long folder;
  uint64_t own;
  uint64_t first = 0;  // the first of the program's threads that could be read
  Standing standing = Standing::kAlike;

  void note(uint32_t thread) {
    uint64_t marks = marks_of(folder, thread);
    if (marks != own) {
      // On its first and its last steps a thread has others: these were read between both.
      if (marks == 0 || !has_begun(folder, thread)) return;
      marks = marks_of(folder, thread);
      if (marks == 0 || is_ending(folder, thread)) return;
    }
    if (first == 0) {
      first = marks;
      if (marks != own) standing = Standing::kChanged;
    } else if (marks != first) {
      standing = Standing::kDiffers;
    }
  }
};

void RightsWatch::note(uint32_t thread) {
  Capabilities theirs[2];
  if (get_capabilities(thread, theirs))
    seen_ &= uint64_t{theirs[1].permitted} << 32 | theirs[0].permitted;
  Scheduling found{};
  if (!found.read(thread)) return;
  gathered_ = has_gathered_ ? weaker_of(gathered_, found) : found;
  has_gathered_ = true;
}

// What one look after another has seen holds for all, when each has had its turn. What is weaker
// holds at once.
void RightsWatch::end_of_turn() {
  const bool is_over = next_ == 0;
  if (!has_gathered_) return;
  weakest_ = is_over || !has_weakest_ ? gathered_ : weaker_of(weakest_, gathered_);
  has_weakest_ = true;
  if (is_over) has_gathered_ = false;
}

void RightsWatch::give_up_unseen() const {
  if (!has_weakest_) return;  // nothing was seen
  Capabilities own[2];
  if (!get_capabilities(0, own)) return;
  const uint64_t permitted = uint64_t{own[1].permitted} << 32 | own[0].permitted;
  if ((permitted & ~seen_) == 0) return;
  for (unsigned i = 0; i < 2; ++i) {
    own[i].permitted &= static_cast<uint32_t>(seen_ >> (32 * i));
    own[i].effective &= own[i].permitted;
  }
  set_capabilities(own);
}

bool RightsWatch::is_alone_with_main() const {
  return !main_thread_has_ended() && count_threads() == 2;
}

// The main thread's capabilities and class, and whom it acts for. This thread was born with its
// groups and control groups.
Standing RightsWatch::look_by_calls() {
  if (has_main_changed()) return Standing::kChanged;
  ++looks_;
  seen_ = ~uint64_t{0};
  next_ = 0;
  note(main_);
  end_of_turn();
  return Standing::kAlike;
}

Standing RightsWatch::look() {
  ++looks_;
  const OpenFile folder(AT_FDCWD, kThreads, O_RDONLY | O_DIRECTORY);
  if (!folder.is_open()) return Standing::kAlike;
  Round round{folder.descriptor(), marks_of(folder.descriptor(), self_)};
  if (round.own == 0) return Standing::kAlike;
  seen_ = ~uint64_t{0};
  round.note(main_);
  if (!main_thread_has_ended()) note(main_);

  alignas(Entry) char buffer[1024];
  unsigned looked = 0;
  if (next_ != 0) raw_syscall(SYS_lseek, folder.descriptor(), next_, SEEK_SET);
  for (;;) {
    const long bytes =
        raw_syscall(SYS_getdents64, folder.descriptor(), pointer_argument(buffer), sizeof buffer);
    if (bytes <= 0) {
      next_ = 0;
      break;
    }
    bool is_full = false;
    for (long at = 0; at < bytes && !is_full;) {
      const auto* const entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->size;
      next_ = entry->next;
      const uint32_t thread = number_of(entry->name);
      if (thread == 0 || thread == self_ || thread == main_) continue;
      round.note(thread);
      note(thread);
      is_full = ++looked == kThreadsALook;
    }
    if (is_full) break;
  }
  end_of_turn();
  return round.standing;
}

}  // namespace mmt::sys
