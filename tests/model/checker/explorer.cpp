#include "checker/explorer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace mmt::model {
namespace {

using Kind = Operation::Kind;

Explorer* g_current = nullptr;

bool contains(const std::vector<uint64_t>& list, uint64_t option) {
  return std::find(list.begin(), list.end(), option) != list.end();
}

bool fences(Kind kind) { return kind == Kind::kFence || kind == Kind::kBarrier; }
bool is_futex(Kind kind) { return kind == Kind::kFutexWait || kind == Kind::kFutexWake; }

}  // namespace

const char* name_of(Result::Verdict verdict) {
  switch (verdict) {
    case Result::Verdict::kHolds:
      return "holds";
    case Result::Verdict::kRequirement:
      return "requirement";
    case Result::Verdict::kRace:
      return "data race";
    case Result::Verdict::kStuck:
      return "waits for ever";
    case Result::Verdict::kEndless:
      return "endless";
    case Result::Verdict::kIncomplete:
      return "incomplete";
  }
  return "?";
}

Explorer* Explorer::current() { return g_current; }

Result Explorer::run() {
  g_current = this;
  for (;;) {
    const Stop stop = run_once();
    if (stop == Stop::kError) {
      tracing_ = true;  // once more, for the trace
      failed_ = false;
      run_once();
      break;
    }
    (stop == Stop::kEnd ? result_.executions : result_.redundant) += 1;
    if (learnt_) {
      learnt_ = false;
      depth_ = 0;
      result_.executions = result_.redundant = 0;
      continue;
    }
    if (!backtrack()) break;
    if (result_.executions + result_.redundant >= limits_.executions) {
      result_.verdict = Result::Verdict::kIncomplete;
      result_.message = "the bound on executions was reached";
      break;
    }
  }
  g_current = nullptr;
  return result_;
}

// Must what `sleeper` was about to do be tried again after `step` of another thread? Reads and
// writes need not be: a store that was not there shows as an option that was not tried. A barrier
// changes what its target knows, and so what any step of its target can do.
bool Explorer::depends(int sleeper, const Choices& asleep, int thread, const Choices& step) {
  if (asleep.kind == Kind::kKill || step.kind == Kind::kKill) return true;
  if (step.kind == Kind::kBarrier && step.operand == static_cast<uint64_t>(sleeper)) return true;
  if (asleep.kind == Kind::kBarrier && asleep.operand == static_cast<uint64_t>(thread)) return true;
  if (fences(asleep.kind)) return fences(step.kind);
  if (asleep.location != step.location) return false;
  if (asleep.kind == Kind::kFutexWake) return is_futex(step.kind);
  return asleep.kind == Kind::kFutexWait && step.kind == Kind::kFutexWake;
}

void Explorer::thread_body(void* explorer, int index) {
  auto* self = static_cast<Explorer*>(explorer);
  self->program_.thread(self->object_, index);
  self->threads_[index].finished = true;
  self->threads_[index].pending.kind = Kind::kNone;
}

Explorer::Stop Explorer::run_once() {
  memory_.reset(program_.threads);
  running_ = -1;
  live_ = 0;
  object_ = program_.create();
  Stop stop = Stop::kNone;
  for (int i = 0; i < program_.threads; ++i) {
    Thread& t = threads_[i];
    t.finished = t.in_futex = t.awaited = false;
    t.reads.clear();
    t.reads_before.clear();
    t.pending = {};
    t.fiber.restart(&Explorer::thread_body, this, i);
    live_ |= bit(i);
  }
  // Up to each thread's first step.
  for (int i = 0; i < program_.threads && !failed_; ++i) {
    running_ = i;
    threads_[i].fiber.resume();
    if (threads_[i].finished) live_ &= ~bit(i);
  }
  running_ = -1;
  for (size_t depth = 0; stop == Stop::kNone; ++depth) stop = failed_ ? Stop::kError : step(depth);
  if (stop == Stop::kEnd) {
    program_.finish(object_);
    if (failed_) stop = Stop::kError;
  }
  program_.destroy(object_);
  return stop;
}

Explorer::Stop Explorer::step(size_t depth) {
  if (live_ == 0) return Stop::kEnd;
  bool any = false;
  for (int i = 0; i < program_.threads; ++i) any = any || enabled(i);
  if (!any) {
    fail(Result::Verdict::kStuck, "every thread that is left waits");
    return Stop::kError;
  }
  if (depth == limits_.steps) {
    fail(Result::Verdict::kEndless, "the program does not end within the bound on steps");
    return Stop::kError;
  }
  if (depth == depth_) {
    if (stack_.size() == depth) stack_.emplace_back();
    enter(&stack_[depth], depth == 0 ? nullptr : &stack_[depth - 1]);
    ++depth_;
  }
  Node& node = stack_[depth];
  if (node.chosen < 0) return Stop::kRedundant;
  ++result_.steps;
  const int thread = node.chosen;
  const Operation op = threads_[thread].pending;
  execute(thread, node.threads[thread].options[node.next]);
  if (failed_) return Stop::kError;
  if (op.kind == Kind::kAwait && threads_[thread].reads == threads_[thread].reads_before &&
      threads_[thread].awaited) {
    return Stop::kRedundant;  // a round that read what the round before had read
  }
  if (op.kind == Kind::kAwait) {
    threads_[thread].reads_before.swap(threads_[thread].reads);
    threads_[thread].reads.clear();
    threads_[thread].awaited = true;
  }
  if (!threads_[thread].in_futex) {
    running_ = thread;
    threads_[thread].fiber.resume();
    running_ = -1;
    if (threads_[thread].finished) live_ &= ~bit(thread);
  }
  return failed_ ? Stop::kError : Stop::kNone;
}

void Explorer::enter(Node* node, const Node* parent) {
  node->chosen = -1;
  node->alone = false;
  int loner = -1;
  for (int i = 0; i < program_.threads; ++i) {
    Choices& choices = node->threads[i];
    choices.options.clear();
    choices.asleep.clear();
    choices.kind = threads_[i].pending.kind;
    choices.location = threads_[i].pending.location;
    choices.operand = threads_[i].pending.operand;
    if (!enabled(i)) continue;
    if (parent != nullptr && parent->chosen != i) {
      const Choices& before = parent->threads[i];
      const Choices& step = parent->threads[parent->chosen];
      if (!depends(i, before, parent->chosen, step)) choices.asleep = before.asleep;
    }
    options_of(i, &choices.options);
    if (choices.kind == Kind::kStore && !choices.asleep.empty()) {
      choices.options.clear();  // tried at every place, also around stores made since
    }
    std::erase_if(choices.options,
                  [&](uint64_t option) { return contains(choices.asleep, option); });
    if (loner < 0 && !program_.kills && unaffected(i)) loner = i;
  }
  if (loner >= 0) {
    node->alone = true;
    node->next = 0;
    if (!node->threads[loner].options.empty()) node->chosen = loner;
    return;
  }
  next_thread(node);
}

// Can the pending step of `thread` be taken now for all schedules? See the head of explorer.h.
bool Explorer::unaffected(int thread) const {
  const Operation& op = threads_[thread].pending;
  const ThreadMask others = live_ & ~bit(thread);
  if (op.kind == Kind::kAwait || op.kind == Kind::kChoose) return true;
  if ((barrierers_ & others) != 0) return false;
  switch (op.kind) {
    case Kind::kStore:
    case Kind::kAwait:
    case Kind::kJoin:
    case Kind::kChoose:
      return true;
    case Kind::kLoad:
    case Kind::kModify:
      return (writers_[op.location] & others) == 0;
    case Kind::kFence:
      return (fencers_ & others) == 0;
    case Kind::kFutexWait:
      return ((futexers_ | writers_[op.location]) & others) == 0;
    case Kind::kFutexWake:
      return (futexers_ & others) == 0;
    case Kind::kBarrier:
    case Kind::kNone:
    case Kind::kKill:
      return false;
  }
  return false;
}

bool Explorer::next_thread(Node* node) const {
  node->next = 0;
  for (int i = 0; i < program_.threads; ++i) {
    if (node->threads[i].options.empty()) continue;
    node->chosen = i;
    return true;
  }
  node->chosen = -1;
  return false;
}

bool Explorer::backtrack() {
  for (; depth_ > 0; --depth_) {
    Node& node = stack_[depth_ - 1];
    if (node.chosen < 0) continue;
    Choices& tried = node.threads[node.chosen];
    if (++node.next < tried.options.size()) return true;
    tried.asleep.insert(tried.asleep.end(), tried.options.begin(), tried.options.end());
    tried.options.clear();
    if (!node.alone && next_thread(&node)) return true;
  }
  return false;
}

uint64_t Explorer::perform(Operation op) {
  if (running_ < 0) return perform_alone(op);
  Thread& t = threads_[running_];
  t.pending = op;
  t.fiber.suspend();
  return t.result;
}

// In create() and finish() there is one thread: the newest store is all there is. What they write
// they write over it.
uint64_t Explorer::perform_alone(const Operation& op) {
  if (op.location < 0) return 0;
  const uint64_t value = memory_.newest(op.location).value;
  if (op.kind == Kind::kStore) memory_.overwrite(op.location, op.operand);
  if (op.kind == Kind::kModify && writes(op, value)) {
    memory_.overwrite(op.location, changed(op, value));
  }
  return value;
}

void Explorer::fence(std::memory_order order, const char* site) {
  if (running_ < 0) return;
  if (order == std::memory_order_seq_cst) {
    Operation op;
    op.kind = Kind::kFence;
    op.order = order;
    op.site = site;
    perform(op);
  } else {
    memory_.fence(running_, order);
  }
}

void Explorer::stream_fence(const char* site) {
  if (running_ < 0) return;
  memory_.stream_fence(running_);
  if (tracing_) {
    result_.trace += "  T" + std::to_string(running_) + " stream fence (" + site + ")\n";
  }
}

void Explorer::fence_all_threads(std::memory_order order, const char* site) {
  if (running_ < 0) return;
  if (order != std::memory_order_seq_cst) return memory_.fence(running_, order);
  for (int i = 0; i < program_.threads; ++i) {
    if (i == running_) continue;
    Operation op;
    op.kind = Kind::kBarrier;
    op.order = order;
    op.operand = static_cast<uint64_t>(i);
    op.site = site;
    perform(op);
  }
}

void Explorer::fail(Result::Verdict verdict, const std::string& message) {
  if (!failed_) {
    failed_ = true;
    result_.verdict = verdict;
    result_.message = message;
    if (tracing_ && running_ >= 0) {
      result_.trace += "  T" + std::to_string(running_) + " " + message + "\n";
    }
  }
  if (running_ >= 0) threads_[running_].fiber.suspend();
}

}  // namespace mmt::model
