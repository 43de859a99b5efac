// Finding the pool, taking chunks of it, and what a process and a thread tell of themselves.
#include "trace/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include <mmt/core/kept_errno.h>
#include <mmt/sys/syscall.h>

#include "trace/own_pool.h"

namespace mmt::trace {

Life life;
constinit thread_local uint64_t own_place = 0;
constinit thread_local const void* outer_caller = nullptr;

namespace {

using sys::pointer_argument;
using sys::raw_syscall;

constexpr long kWaitNs = 100'000;
// Thousands of threads may wait. The longer one has, the longer it looks away, for else they would
// take every CPU from the reader that they wait for.
constexpr long kLongestWaitNs = 20'000'000;
constexpr long kLookNs = 10'000'000;  // how often is looked whether the reader lives
// A reader that is known by its beats alone may stand still so many looks, a minute at least.
constexpr unsigned kMostStill = 6000;
// Destructors of others may allocate after ours: it asks to be called again so often.
constexpr uintptr_t kEndRounds = 3;

// Whether there is a pool. Release where it is settled, acquire where that is asked: a thread that
// sees kSettled sees `pool`.
enum class State : uint32_t {
  kUnknown,  // nobody has looked yet
  kMapping,  // a thread looks; calls meanwhile are not recorded
  kSettled,  // where `pool` lies is right for good, in children of a fork, too
};
std::atomic<State> state{State::kUnknown};
Reader reader;
OwnPool pool_here;  // the thread that has begun the process changes it, before others look

constinit thread_local uint32_t own_thread = 0;    // the pool's number
constinit thread_local uint64_t own_sequence = 0;  // of the last chunk
constinit thread_local uint64_t fork_token = 0;    // while it forks
constinit thread_local bool has_ended = false;     // it keeps no chunk any more
constinit thread_local bool is_beginner = false;   // it tells of the process
pthread_key_t end_key;
bool has_end_key = false;

// A process that changes its user and then executes a program cannot go on. That is told, once a
// program.
void tell_refusal(long error) {
  if (error != -EACCES && error != -EPERM) return;
  constexpr char kText[] =
      "mmt: this program is not recorded: its user may not reach what 'mmt trace' reads\n";
  raw_syscall(SYS_write, STDERR_FILENO, pointer_argument(kText), sizeof kText - 1);
}

// The loader allocates before libc has found the environment.
bool find_pool() {
  if (state.load(std::memory_order_acquire) == State::kSettled) return pool_here.base != nullptr;
  State expected = State::kUnknown;
  if (environ == nullptr || !state.compare_exchange_strong(expected, State::kMapping)) {
    return false;
  }
  if (find_reader(reader)) {
    const long error = begin_pool(reader, pool_here);
    life.has_own_pool.store(error == 0);
    tell_refusal(error);
  }
  state.store(State::kSettled, std::memory_order_release);
  return pool_here.base != nullptr;
}

// "pid:[4026531836]".
uint32_t own_pid_space() {
  char text[64];
  const long size = raw_syscall(SYS_readlinkat, AT_FDCWD, pointer_argument("/proc/self/ns/pid"),
                                pointer_argument(text), sizeof text);
  uint32_t number = 0;
  for (long i = 0; i < size; ++i) {
    if (text[i] >= '0' && text[i] <= '9')
      number = 10 * number + static_cast<uint32_t>(text[i] - '0');
  }
  return number;
}

bool next_chunk();

bool needs_chunk(uint64_t place) { return (place & (kChunkBytes - 1) & ~kLong) == 0; }
bool is_long(uint64_t place) { return (place & kLong) != 0; }
Record* record_at(char* base, uint64_t place) {
  return reinterpret_cast<Record*>(base + (place & ~kLong));
}

// Room for a record. All of its fields are there if it is no short one.
struct Place {
  Record* record;  // nullptr: none is wanted
  bool is_short;
};

// The thread's chunk is of too short records: the next one will do. Nothing but a handler's kEnd
// comes behind this kEnd, as both find the same.
void leave_chunk(char* base, uint64_t place) {
  if (!core::replace_in_thread(own_place, place, place + kShortRecord)) return;
  record_at(base, place)->what.store(word_of(RecordKind::kEnd, nullptr), std::memory_order_release);
  core::replace_in_thread(own_place, place + kShortRecord, 0);
}

Place claim() {
  while (true) {
    const uint64_t place = own_place;
    char* const base = life.base.load(std::memory_order_relaxed);
    if (needs_chunk(place) || base == nullptr) {
      if (!next_chunk()) return {nullptr, false};
      continue;
    }
    const bool is_short = !is_long(place);
    const size_t bytes = is_short ? kShortRecord : sizeof(Record);
    if (is_short && life.plain.load(std::memory_order_relaxed) == nullptr) {
      leave_chunk(base, place);
    } else if (core::replace_in_thread(own_place, place, place + bytes)) {
      return {record_at(base, place), is_short};
    }
  }
}

// What a process tells of itself, which never is in short records.
void leave_text(RecordKind kind, const char* text, size_t size) {
  Record* const record = claim().record;
  if (record == nullptr) return;
  char bytes[kTextBytes] = {};
  std::memcpy(bytes, text, size < kTextBytes ? size : kTextBytes);
  std::memcpy(&record->bytes, bytes, sizeof bytes);
  record->what.store(word_of(kind, nullptr), std::memory_order_release);
}

void leave_numbers(RecordKind kind, uint64_t bytes, uint64_t address = 0, uint64_t base = 0) {
  Record* const record = claim().record;
  if (record == nullptr) return;
  record->bytes = bytes;
  record->stamp = base;
  record->what.store(word_of(kind, reinterpret_cast<const void*>(address)),
                     std::memory_order_release);
}

// As long as it is, as far as kLongestCommand. Words are parted by spaces.
constexpr size_t kLongestCommand = 4096;
void leave_arguments() {
  const long file = raw_syscall(SYS_openat, AT_FDCWD, pointer_argument("/proc/self/cmdline"),
                                O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  // Whole pieces, of little stack.
  char text[16 * kTextBytes];
  long size = 0;
  for (size_t all = 0; all < kLongestCommand; all += sizeof text) {
    size = raw_syscall(SYS_read, file, pointer_argument(text), sizeof text);
    if (size <= 0) break;
    const auto length = static_cast<size_t>(size);
    for (char& one : text) {
      if (one == '\0') one = ' ';
    }
    for (size_t at = 0; at < length; at += kTextBytes) {
      leave_text(RecordKind::kArguments, text + at, length - at);
    }
  }
  leave_text(RecordKind::kArguments, "", 0);
  raw_syscall(SYS_close, file);
}

// For as long as it is there, no handler runs on this thread.
class NoSignals {
 public:
  NoSignals() { set(~uint64_t{0}); }
  ~NoSignals() { set(before_); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  void set(uint64_t mask) {
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, pointer_argument(&mask),
                pointer_argument(&before_), sizeof mask);
  }
  uint64_t before_ = 0;
};

// The reader gives the chunk back without knowing whether the thread lives.
void leave_rest() {
  const NoSignals guard;
  if (needs_chunk(own_place)) return;
  if (Record* const end = claim().record) {
    end->what.store(word_of(RecordKind::kEnd, nullptr), std::memory_order_release);
  }
  own_place = 0;
}

void pause(long ns) {
  const timespec pause{0, ns};
  raw_syscall(SYS_nanosleep, pointer_argument(&pause), 0);
}

// What nobody can guess: a child of another program cannot take what this one's is to inherit.
uint64_t new_token() {
  uint64_t token = 0;
  raw_syscall(SYS_getrandom, pointer_argument(&token), sizeof token, 0);
  return token != 0 ? token : core::ticks_before();
}

// The rest of begin_process(), for the one thread that is there, or the first of all.
void tell_of_process() {
  own_thread = 0;
  own_sequence = 0;
  own_place = 0;
  raw_syscall(SYS_madvise, pointer_argument(&life), sizeof life, MADV_WIPEONFORK);
  // In a parent's pool whose recording is over there is nothing to go on with.
  if (pool_at(pool_here.base)->is_over.load(std::memory_order_relaxed) != 0) return;
  if (!life.has_own_pool.load(std::memory_order_relaxed)) {
    life.has_own_pool.store(renew_pool(reader, pool_here) == 0);
  }
  char* const base = pool_here.base;
  life.process.store(pool_at(base)->processes.fetch_add(1) + 1, std::memory_order_relaxed);
  life.pid_space.store(own_pid_space(), std::memory_order_relaxed);
  life.has_sites.store(reader.wants_sites, std::memory_order_relaxed);
  life.base.store(base, std::memory_order_release);
  leave_numbers(RecordKind::kProcess, fork_token);
  const char* const name = program_invocation_short_name;
  leave_text(RecordKind::kName, name, std::strlen(name));
  leave_numbers(RecordKind::kParent, static_cast<uint64_t>(raw_syscall(SYS_getppid)));
  leave_arguments();
  if (reader.wants_sites) return;
  leave_rest();  // the chunk of long records: short ones will do
  life.plain.store(base);
}

// Sets up `life` and this thread's share of it. False: nothing is recorded.
bool begin_process() {
  if (!find_pool()) return false;
  const NoSignals guard;
  Phase expected = Phase::kNone;
  if (life.phase.compare_exchange_strong(expected, Phase::kBeginning)) {
    is_beginner = true;
    tell_of_process();
    is_beginner = false;
    // Release, for a thread that then uses the pool.
    life.phase.store(Phase::kBegun, std::memory_order_release);
  }
  while (life.phase.load(std::memory_order_acquire) != Phase::kBegun) pause(kWaitNs);
  return life.base.load(std::memory_order_relaxed) != nullptr;
}

void begin_thread(Pool& pool) {
  own_thread = pool.threads.fetch_add(1) + 1;
  // Before this thread's first record, and so before anybody can have learnt of its calls.
  if (life.threads.fetch_add(1) != 0) {
    life.is_stamped.store(true);
    life.plain.store(nullptr);
  }
  if (has_end_key) ::pthread_setspecific(end_key, reinterpret_cast<void*>(kEndRounds));
}

// Its process id says nothing in another pid namespace than its own, nor before it is there.
class ReaderLife {
 public:
  explicit ReaderLife(const Pool& pool) : pool_(pool) {}

  bool has_gone() {
    const uint32_t space = pool_.reader_space.load(std::memory_order_relaxed);
    if (space != 0 && space == life.pid_space.load(std::memory_order_relaxed)) {
      return raw_syscall(SYS_kill, pool_.reader.load(std::memory_order_relaxed), 0) == -ESRCH;
    }
    const uint32_t beats = pool_.beats.load(std::memory_order_relaxed);
    still_ = beats == beats_ ? still_ + 1 : 0;
    beats_ = beats;
    return still_ > kMostStill;
  }

 private:
  const Pool& pool_;
  uint32_t beats_ = 0;
  unsigned still_ = 0;  // looks in a row that saw the same beats
};

// 0: the reader has gone.
size_t wait_for_chunk(Pool& pool) {
  ReaderLife reader_life(pool);
  pool.waits.fetch_add(1, std::memory_order_relaxed);
  long waited = 0;
  long looked = 0;
  while (true) {
    const long ns = waited / 8 < kWaitNs ? kWaitNs : waited / 8;
    pause(ns < kLongestWaitNs ? ns : kLongestWaitNs);
    waited += ns < kLongestWaitNs ? ns : kLongestWaitNs;
    if (pool.is_over.load(std::memory_order_relaxed) != 0) return 0;
    if (const size_t chunk = take_chunk(pool, pool_here.chunks); chunk != 0) return chunk;
    if (waited - looked < kLookNs) continue;
    looked = waited;
    pool.looks.fetch_add(1, std::memory_order_relaxed);
    if (reader_life.has_gone()) pool.is_over.store(1);
  }
}

uint64_t next_sequence() {
  while (true) {
    const uint64_t last = own_sequence;
    if (core::replace_in_thread(own_sequence, last, last + 1)) return last + 1;
  }
}

void end_thread(void* left) {
  const auto rounds = reinterpret_cast<uintptr_t>(left) - 1;
  if (rounds != 0) {
    ::pthread_setspecific(end_key, reinterpret_cast<void*>(rounds));
  } else {
    has_ended = true;
    leave_any(Side::kBefore, word_of(RecordKind::kThreadEnd, nullptr), 0, nullptr);
  }
}

void before_fork() {
  char* const base = life.base.load(std::memory_order_relaxed);
  if (base == nullptr) return;
  fork_token = new_token();
  leave_any(Side::kBefore, word_of(RecordKind::kFork, nullptr), fork_token, nullptr);
}
void after_fork() { fork_token = 0; }
// Where the kernel cannot wipe the page, this does.
void begin_child() {
  const core::KeptErrno kept;
  std::memset(static_cast<void*>(&life), 0, sizeof life);
  begin_process();
  fork_token = 0;
}

// The loader's list has no name of the program itself.
constexpr size_t kLongestPath = 4096;
size_t find_program(char* path) {
  const long size = raw_syscall(SYS_readlinkat, AT_FDCWD, pointer_argument("/proc/self/exe"),
                                pointer_argument(path), kLongestPath - 1);
  return size > 0 ? static_cast<size_t>(size) : 0;
}

int leave_module(dl_phdr_info* info, size_t, void*) {
  char program[kLongestPath];
  const char* path = info->dlpi_name;
  if (*path == '\0') {
    program[find_program(program)] = '\0';
    path = program;
  }
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const uint64_t start = info->dlpi_addr + part.p_vaddr;
    leave_numbers(RecordKind::kModule, start + part.p_memsz, start, info->dlpi_addr);
    for (size_t at = 0, size = std::strlen(path) + 1; at < size; at += kTextBytes) {
      leave_text(RecordKind::kText, path + at, size - at);
    }
  }
  return 0;
}

// A program that makes no call is recorded as a process all the same.
__attribute__((constructor)) void start() {
  const core::KeptErrno kept;
  if (!find_pool()) return;
  has_end_key = ::pthread_key_create(&end_key, end_thread) == 0;
  ::pthread_atfork(before_fork, after_fork, begin_child);
  if (life.base.load(std::memory_order_relaxed) == nullptr && !begin_process()) return;
  if (has_end_key) ::pthread_setspecific(end_key, reinterpret_cast<void*>(kEndRounds));
  if (life.has_sites.load(std::memory_order_relaxed)) ::dl_iterate_phdr(leave_module, nullptr);
}

MMT_COLD bool next_chunk() {
  const core::KeptErrno kept;
  // Acquire, for what the thread that began has set up.
  if (life.phase.load(std::memory_order_acquire) != Phase::kBegun && !is_beginner &&
      !begin_process()) {
    return false;
  }
  char* const base = life.base.load(std::memory_order_relaxed);
  if (base == nullptr) return false;
  Pool& pool = *pool_at(base);
  if (pool.is_over.load(std::memory_order_relaxed) != 0) return false;
  const uint64_t place = own_place;
  if (!needs_chunk(place)) return true;
  size_t chunk = take_chunk(pool, pool_here.chunks);
  if (chunk == 0) chunk = wait_for_chunk(pool);
  if (chunk == 0) return false;
  if (own_thread == 0) begin_thread(pool);
  ChunkHead* const head = head_of(base, chunk);
  head->process = life.process.load(std::memory_order_relaxed);
  head->thread = own_thread;
  head->process_id = static_cast<uint32_t>(raw_syscall(SYS_getpid));
  head->thread_id = static_cast<uint32_t>(raw_syscall(SYS_gettid));
  head->pid_space = life.pid_space.load(std::memory_order_relaxed);
  const bool is_plain = life.plain.load(std::memory_order_relaxed) != nullptr;
  head->record_bytes = is_plain ? kShortRecord : sizeof(Record);
  // Release, for the reader's acquire. A chunk that a handler has replaced meanwhile stays empty,
  // which the reader sees by the one behind it.
  head->sequence.store(next_sequence(), std::memory_order_release);
  core::replace_in_thread(own_place, place,
                          chunk * kChunkBytes + sizeof(ChunkHead) + (is_plain ? 0 : kLong));
  return true;
}

}  // namespace

// The next place of a chunk of long records, as most are that come here; else claim() finds one.
MMT_ALWAYS_INLINE Place claim_long() {
  const uint64_t place = own_place;
  char* const base = life.base.load(std::memory_order_relaxed);
  if (MMT_UNLIKELY(!is_long(place) || needs_chunk(place) || base == nullptr ||
                   !core::replace_in_thread(own_place, place, place + sizeof(Record)))) {
    return claim();
  }
  core::prefetch_for_write(base + place + kAhead);
  return {record_at(base, place), false};
}

void leave_any(Side side, uint64_t what, uint64_t bytes, const void* caller) {
  const auto [record, is_short] = claim_long();
  if (record == nullptr) return;
  record->bytes = bytes;
  if (!is_short && life.is_stamped.load(std::memory_order_relaxed)) {
    record->stamp = side == Side::kAfter ? core::ticks_after() : core::ticks_before();
  }
  if (!is_short && life.has_sites.load(std::memory_order_relaxed)) {
    const void* const outer = outer_caller;
    outer_caller = nullptr;
    record->site = reinterpret_cast<uint64_t>(outer != nullptr ? outer : caller);
  }
  // Release, for the reader's acquire.
  record->what.store(what, std::memory_order_release);
  // libc may free what it has kept for the thread: that takes a chunk for a moment.
  if (MMT_UNLIKELY(has_ended)) leave_rest();
}

}  // namespace mmt::trace
