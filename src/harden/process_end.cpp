#include "harden/process_end.h"

#include <alloca.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "harden/capture.h"
#include "harden/fault_signals.h"
#include "harden/finding.h"
#include "harden/patrol.h"
#include "harden/served_heap.h"
#include "harden/settings.h"
#include "names/forward.h"

extern char** environ;

namespace mmt::harden {
namespace {

using names::forward;

// As sanitizers do.
constexpr int kFaultStatus = 1;
// What is looked at beside quarantines: so many bytes take some milliseconds. Children of forks
// are many, and short.
constexpr size_t kMostBytes = size_t{64} << 20;
constexpr size_t kMostBytesInChild = size_t{4} << 20;
constinit size_t most_bytes = kMostBytes;

constinit std::atomic<uint32_t> home{0};  // the process that loaded us
constinit std::atomic<uint32_t> here{0};  // this one; a child of vfork has its parent's
constinit std::atomic<bool> has_looked{false};

void look_once(size_t bytes) {
  report_pending();
  if (!served_heap().is_open() || !settings.is_read || !settings.checks_freed) return;
  if (has_looked.exchange(true, std::memory_order_relaxed)) return;
  Patrol().run_through(bytes);
}

int status_of(int status) {
  if (reported() == 0 || !is_own_process()) return status;
  // Another thread has reported, and is about to end the process.
  if (settings.after == After::kAbort) end_by_abort();
  const bool fails = settings.after == After::kExit;
  // Its lowest byte alone is passed on.
  return fails && (status & 0xff) == 0 ? kFaultStatus : status;
}

void on_end(int status, void*) {
  look_once_more();
  // What else is to be done at exit is done by this call. It flushes what no other thread reads.
  if (status_of(status) != status) forward<void, "exit">(status_of(status));
}

void on_quick_end() {
  look_once_more();
  if (status_of(0) != 0) sys::raw_syscall(SYS_exit_group, status_of(0));
}

// Children of forks that go on as other programs are many: what waits is looked at there.
void before_exec() {
  if (!is_own_process()) return;
  look_once(here.load(std::memory_order_relaxed) == home.load(std::memory_order_relaxed)
                ? kMostBytes
                : 0);
  has_looked.store(false, std::memory_order_relaxed);  // exec may fail
}

[[noreturn]] void end_now(int status) {
  look_at_last();
  for (;;) sys::raw_syscall(SYS_exit_group, status_of(status));
}

}  // namespace

bool is_own_process() { return sys::current_process_id() == here.load(std::memory_order_relaxed); }

void look_once_more() { look_once(most_bytes); }

void look_at_last() {
  look_once_more();
  // The parent of a vfork's child goes on with the same memory.
  has_looked.store(false, std::memory_order_relaxed);
}

void no_more_looks() { has_looked.store(true, std::memory_order_relaxed); }

void watch_end() {
  home.store(sys::current_process_id(), std::memory_order_relaxed);
  here.store(home.load(std::memory_order_relaxed), std::memory_order_relaxed);
  watch_columns();
  on_exit(on_end, nullptr);
  at_quick_exit(on_quick_end);
  pthread_atfork(nullptr, nullptr, [] {
    free_reports_in_child();
    renew_captures_in_child();
    free_signals_in_child();
    here.store(sys::current_process_id(), std::memory_order_relaxed);
    has_looked.store(false, std::memory_order_relaxed);
    most_bytes = kMostBytesInChild;
  });
}

}  // namespace mmt::harden

namespace p = mmt::harden;
using mmt::names::forward;

extern "C" {

__attribute__((visibility("default"), noreturn)) void _exit(int status) { p::end_now(status); }
__attribute__((visibility("default"), noreturn)) void _Exit(int status) { p::end_now(status); }
}

MMT_EXPORT int execve(const char* path, char* const arguments[], char* const variables[]) {
  p::before_exec();
  return forward<int, "execve">(path, arguments, variables);
}
MMT_EXPORT int execv(const char* path, char* const arguments[]) {
  p::before_exec();
  return forward<int, "execv">(path, arguments);
}
MMT_EXPORT int execvp(const char* file, char* const arguments[]) {
  p::before_exec();
  return forward<int, "execvp">(file, arguments);
}
MMT_EXPORT int execvpe(const char* file, char* const arguments[], char* const variables[]) {
  p::before_exec();
  return forward<int, "execvpe">(file, arguments, variables);
}
MMT_EXPORT int fexecve(int file, char* const arguments[], char* const variables[]) {
  p::before_exec();
  return forward<int, "fexecve">(file, arguments, variables);
}
MMT_EXPORT int execveat(int folder, const char* path, char* const arguments[],
                        char* const variables[], int flags) {
  p::before_exec();
  return forward<int, "execveat">(folder, path, arguments, variables, flags);
}

namespace {

// Arguments from `first` to the null pointer, which is counted.
size_t count_of(const char* first, va_list rest) {
  size_t count = 1;
  for (const char* one = first; one != nullptr; ++count) one = va_arg(rest, const char*);
  return count;
}

void gather(const char* first, va_list rest, char** list, size_t count) {
  list[0] = const_cast<char*>(first);
  for (size_t i = 1; i < count; ++i) list[i] = va_arg(rest, char*);
}

}  // namespace

// The list on the stack, which may be small: no longer than it has to be.
#define MMT_LIST_OF(first)                                                \
  va_list rest;                                                           \
  va_start(rest, first);                                                  \
  const size_t count = count_of(first, rest);                             \
  va_end(rest);                                                           \
  auto** const list = static_cast<char**>(alloca(count * sizeof(char*))); \
  va_start(rest, first);                                                  \
  gather(first, rest, list, count)

MMT_EXPORT int execl(const char* path, const char* first, ...) {
  MMT_LIST_OF(first);
  va_end(rest);
  return execv(path, list);
}
MMT_EXPORT int execlp(const char* file, const char* first, ...) {
  MMT_LIST_OF(first);
  va_end(rest);
  return execvp(file, list);
}
MMT_EXPORT int execle(const char* path, const char* first, ...) {
  MMT_LIST_OF(first);
  char** const variables = va_arg(rest, char**);
  va_end(rest);
  return execve(path, list, variables);
}
