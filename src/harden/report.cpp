// Reports as text, and as JSON lines in a file.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/sync/try_lock.h>
#include <mmt/sys/file.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "core/text_buffer.h"
#include "harden/capture.h"
#include "harden/fault_signals.h"
#include "harden/finding.h"
#include "harden/modules.h"
#include "harden/process_end.h"
#include "harden/report_file.h"
#include "harden/served_heap.h"
#include "harden/settings.h"
#include "harden/sites.h"
#include "harden/stacks.h"
#include "harden/times.h"
#include "sys/message.h"
#include "sys/standard_error.h"

namespace mmt::harden {
namespace {

using Text = core::TextBuffer<16384>;

constexpr const char* kNames[] = {
    "double-free",   "invalid-free",  "overflow",       "underflow",       "write-after-free",
    "size-mismatch", "type-mismatch", "metadata-write", "read-after-free",
};
static_assert(sizeof kNames / sizeof *kNames == static_cast<size_t>(Fault::kCount));

constinit std::atomic<uint64_t> count{0};
// The texts below are one thread's at a time. Whoever cannot have them tells less.
constinit sync::TryLock<> in_turn{};
Text text;
Text line;

// What is known of where it was: nothing, the place of the call, or more.
Stack stack_of(const Event& event) {
  Stack stack{};
  if (event.stack != nullptr) {
    stack = *event.stack;
  } else if (settings.keeps_stacks) {
    stack = stacks.stack_of(event.site);
  } else if (const void* const address = sites.address_of(event.site)) {
    stack.frames[0] = address;
    stack.count = 1;
  }
  keep_calls(&stack);
  return stack;
}

Stack stack_of_finding(const Finding& finding) {
  Stack stack{};
  if (finding.found_stack != nullptr) {
    stack = *finding.found_stack;
  } else if (finding.caller != nullptr && settings.keeps_stacks) {
    capture_call(&stack, finding.caller);
  } else if (finding.caller != nullptr) {
    stack.frames[0] = finding.caller;
    stack.count = 1;
  }
  keep_calls(&stack);
  return stack;
}

void add_address(Text* to, const void* address) { to->hex(reinterpret_cast<uintptr_t>(address)); }

void add_place(const char* what, const void* address) {
  if (address == nullptr) return;
  text.add("mmt:   ").add(what).add(' ');
  add_address(&text, address);
  const Module module = module_of(address);
  if (module.path[0] != '\0') {
    text.add(" (").visible(module.path).add("+").hex(module.offset).add(")");
  }
  text.add('\n');
}

void add_stack(const char* what, const Stack& stack) {
  for (uint32_t i = 0; i < stack.count; ++i) add_place(i == 0 ? what : "  at", stack.frames[i]);
}

// "allocated 1250 ms ago at most, freed 31 ms ago at most, found 31 ms late at most". A tick that
// was kept is no later than the time.
void add_times(const Finding& finding) {
  const uint64_t now = ms_now();
  const char* before = "mmt:   ";
  const auto add = [&](const char* what, uint64_t ms, const char* how) {
    text.add(before).add(what).number(now - ms).add(how);
    before = ", ";
  };
  if (finding.allocated.is_known()) add("allocated ", finding.allocated.ms, " ms ago at most");
  if (finding.freed.is_known()) add("freed ", finding.freed.ms, " ms ago at most");
  if (finding.whole_ms != Finding::kAtOnce) add("found ", finding.whole_ms, " ms late at most");
  if (before[0] == ',') text.add('\n');
}

// Where blocks are known to go from thread to thread.
void add_threads(const Finding& finding) {
  const Stack* const allocated = finding.allocated.stack;
  if (allocated == nullptr) return;
  const uint32_t here = sys::current_thread_id();
  const Stack* const freed = finding.freed.stack;
  if (allocated->thread == here && (freed == nullptr || freed->thread == here)) return;
  text.add("mmt:   allocated on thread ").number(allocated->thread);
  if (freed != nullptr) text.add(", freed on thread ").number(freed->thread);
  text.add(", found on thread ").number(here).add('\n');
}

void add_first_line(const Finding& finding) {
  text.add("mmt: ").add(name_of(finding.fault)).add(": ");
  if (finding.block != nullptr) {
    text.add("block ");
    add_address(&text, finding.block);
    if (finding.has_bytes) text.add(" of ").number(finding.bytes).add(" bytes");
    text.add(": ");
  } else {
    text.add("address ");
    add_address(&text, finding.address);
    text.add(": ");
  }
  text.add(finding.text);
  if (finding.has_told) text.add(' ').number(finding.told);
  if (finding.allocating != nullptr)
    text.add(" allocated by ").add(finding.allocating).add(", freed by ").add(finding.freeing);
  text.add('\n');
}

void json_address(const void* address) {
  const Module module = module_of(address);
  line.add("{\"address\":\"");
  add_address(&line, address);
  line.add("\",\"module\":").quoted(module.path);
  line.add(",\"offset\":\"").hex(module.offset).add("\"}");
}

void json_place(const char* name, const void* address) {
  if (address == nullptr) return;
  line.add(",\"").add(name).add("\":");
  json_address(address);
}

void json_stack(const char* name, const Stack& stack) {
  if (stack.count == 0) return;
  json_place(name, stack.frames[0]);
  if (stack.thread != 0) line.add(",\"").add(name).add("_thread\":").number(stack.thread);
  if (stack.count == 1) return;
  line.add(",\"").add(name).add("_stack\":[");
  for (uint32_t i = 0; i < stack.count; ++i) {
    if (i != 0) line.add(',');
    json_address(stack.frames[i]);
  }
  line.add(']');
}

// In ms, at most.
void json_times(const Finding& finding) {
  const uint64_t now = ms_now();
  const auto add = [&](const char* name, uint64_t ms) {
    line.add(",\"").add(name).add("\":").number(now - ms);
  };
  if (finding.allocated.is_known()) add("allocated_ms_ago", finding.allocated.ms);
  if (finding.freed.is_known()) add("freed_ms_ago", finding.freed.ms);
  if (finding.whole_ms != Finding::kAtOnce) add("late_ms", finding.whole_ms);
}

void write_json(const Finding& finding) {
  line.clear();
  line.add("{\"schema\":1,\"kind\":\"").add(name_of(finding.fault)).add("\",\"pid\":");
  line.number(sys::current_process_id()).add(",\"thread\":").number(sys::current_thread_id());
  if (finding.block != nullptr) {
    line.add(",\"block\":\"");
    add_address(&line, finding.block);
    line.add('"');
  }
  if (finding.has_bytes) line.add(",\"bytes\":").number(finding.bytes);
  if (finding.address != nullptr) {
    line.add(",\"at\":\"");
    add_address(&line, finding.address);
    line.add('"');
  }
  line.add(",\"text\":").quoted(finding.text);
  if (finding.has_told) line.add(",\"told\":").number(finding.told);
  if (finding.allocating != nullptr)
    line.add(",\"allocated_as\":")
        .quoted(finding.allocating)
        .add(",\"freed_as\":")
        .quoted(finding.freeing);
  json_times(finding);
  json_stack("found", stack_of_finding(finding));
  json_stack("allocated", stack_of(finding.allocated));
  json_stack("freed", stack_of(finding.freed));
  line.add("}\n");
  append_to_report_file(line.data(), line.size());
}

bool is_memory_thread(uint32_t thread) {
  // Relaxed: a number, by which nothing else is found.
  return thread == served_heap().server_thread.load(std::memory_order_relaxed);
}

bool write_error(const char* data, size_t bytes) {
  const int descriptor = sys::standard_error();
  return descriptor >= 0 && sys::write_all(descriptor, data, bytes) == 0;
}

// Where the text could not be written, it is at the next report, or as the process ends.
constexpr size_t kMostPending = 16;
Finding pending[kMostPending];
size_t pending_count = 0;

// Where the program has begun a line, ours begins behind it. Stdio counts columns, from 1 on, once
// it is told where it is; 0: it does not know.
void end_line_begun() {
  if (stderr->_cur_column > 1) text.add('\n');
  if (stderr->_cur_column != 0) stderr->_cur_column = 1;
}

bool write_text(const Finding& finding) {
  text.clear();
  end_line_begun();
  add_first_line(finding);
  add_stack("found by", stack_of_finding(finding));
  add_stack("allocated by", stack_of(finding.allocated));
  add_stack("freed by", stack_of(finding.freed));
  if (finding.caller == nullptr) text.add("mmt:   found by a look at the heap\n");
  add_times(finding);
  add_threads(finding);
  return write_error(text.data(), text.size());
}

void write_pending() {
  size_t done = 0;
  while (done < pending_count && write_text(pending[done])) ++done;
  pending_count -= done;
  for (size_t i = 0; i < pending_count; ++i) pending[i] = pending[i + done];
}

void write_all_of(const Finding& finding) {
  write_pending();
  if (!write_text(finding) && pending_count < kMostPending) pending[pending_count++] = finding;
  if (settings.report_path != nullptr) write_json(finding);
}

}  // namespace

void end_by_abort() {
  no_more_looks();
  const long process = sys::current_process_id();
  const uint32_t thread = sys::current_thread_id();
  // On a small stack there may be no room for a handler.
  handle_no_more(SIGABRT);
  // No handler of the program's may run on the memory thread.
  if (!is_memory_thread(thread)) sys::raw_syscall(SYS_tgkill, process, thread, SIGABRT);
  // Blocked or ignored, or handled and returned from.
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  } by_default{};
  sys::raw_syscall(SYS_rt_sigaction, SIGABRT, sys::pointer_argument(&by_default), 0, 8);
  const unsigned long abort_alone = 1UL << (SIGABRT - 1);
  sys::raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, sys::pointer_argument(&abort_alone), 0, 8);
  sys::raw_syscall(SYS_tgkill, process, thread, SIGABRT);
  for (;;) sys::raw_syscall(SYS_exit_group, 128 + SIGABRT);
}

const char* name_of(Fault fault) { return kNames[static_cast<size_t>(fault)]; }

uint64_t reported() { return count.load(std::memory_order_relaxed); }

void watch_columns() { stderr->_cur_column = 1; }

void free_reports_in_child() {
  in_turn.reset_in_child();
  count.store(0, std::memory_order_relaxed);  // the parent's status tells of these
}

void report_pending() {
  if (__atomic_load_n(&pending_count, __ATOMIC_RELAXED) == 0) return;
  const sys::SignalsBlocked blocked;
  const uint32_t self = sys::current_thread_id();
  if (!in_turn.lock(self)) return;
  write_pending();
  in_turn.unlock(self);
}

MMT_COLD void report(const Finding& finding) {
  count.fetch_add(1, std::memory_order_relaxed);
  {
    const sys::SignalsBlocked blocked;
    const uint32_t self = sys::current_thread_id();
    // In a handler of a forced signal that came amid a report.
    const bool is_nested = in_turn.held_by(self);
    if (is_nested || !in_turn.lock(self)) {
      sys::Message short_line;
      short_line.text(name_of(finding.fault)).text(": ").text(finding.text).print();
    } else {
      write_all_of(finding);
      in_turn.unlock(self);
    }
  }
  if (settings.after == After::kAbort) end_by_abort();
}

}  // namespace mmt::harden
