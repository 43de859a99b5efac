// ModelSync: the policy that makes the headers of mmt/sync run under the explorer. It also carries
// what the scenarios need of their world (require, await, join, choose).
#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>

#include <mmt/sync/model.h>

#include "checker/explorer.h"

namespace mmt::model {

// The one site whose order the checker replaces, for the mutation test.
struct Weakening {
  const sync::OrderSite* site = nullptr;
  std::memory_order order = std::memory_order_relaxed;
};

using SiteSet = std::set<const sync::OrderSite*>;

namespace detail {

inline Weakening g_weakening;
inline SiteSet* g_used = nullptr;     // notes the sites that are asked for
inline const char* g_site = nullptr;  // of the order asked for last, for the trace

inline Operation operation(Operation::Kind kind, int location, std::memory_order order) {
  Operation op;
  op.kind = kind;
  op.location = location;
  op.order = order;
  if (order != std::memory_order_relaxed) op.site = g_site;
  g_site = nullptr;
  return op;
}

}  // namespace detail

template <class T>
class ModelAtomic {
  static_assert(sizeof(T) <= sizeof(uint64_t) && (std::is_integral_v<T> || std::is_pointer_v<T>));

 public:
  ModelAtomic() : ModelAtomic(T{}) {}
  ModelAtomic(T value) : location_(Explorer::current()->add_location(raw(value))) {}  // NOLINT
  ModelAtomic(const ModelAtomic&) = delete;
  ModelAtomic& operator=(const ModelAtomic&) = delete;

  T load(std::memory_order order) const {
    return perform(detail::operation(Operation::Kind::kLoad, location_, order));
  }
  void store(T value, std::memory_order order) {
    Operation op = detail::operation(Operation::Kind::kStore, location_, order);
    op.operand = raw(value);
    perform(op);
  }
  T exchange(T v, std::memory_order o) { return modify(Operation::Change::kExchange, v, o); }
  T fetch_add(T v, std::memory_order o) { return modify(Operation::Change::kAdd, v, o); }
  T fetch_sub(T v, std::memory_order o) { return modify(Operation::Change::kSub, v, o); }
  T fetch_or(T v, std::memory_order o) { return modify(Operation::Change::kOr, v, o); }
  T fetch_and(T v, std::memory_order o) { return modify(Operation::Change::kAnd, v, o); }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order order,
                               std::memory_order failure) {
    Operation op = detail::operation(Operation::Kind::kModify, location_, order);
    op.change = Operation::Change::kCompareExchange;
    op.failure = failure;
    op.operand = raw(desired);
    op.expected = raw(expected);
    const T seen = perform(op);
    if (seen == expected) return true;
    expected = seen;
    return false;
  }

  int location() const { return location_; }

 private:
  static uint64_t raw(T value) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<uintptr_t>(value);
    else
      return static_cast<std::make_unsigned_t<T>>(value);
  }
  static T perform(const Operation& op) {
    const uint64_t value = Explorer::current()->perform(op);
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(value);
    else
      return static_cast<T>(value);
  }
  T modify(Operation::Change change, T operand, std::memory_order order) {
    Operation op = detail::operation(Operation::Kind::kModify, location_, order);
    op.change = change;
    op.operand = raw(operand);
    op.mask = raw(static_cast<T>(~T{0}));
    return perform(op);
  }

  int location_;
};

// A plain variable whose accesses must be ordered by happens-before; for one that was streamed, the
// stream fence after it must too. A thread always finds its own stores.
template <class T>
class ModelPlain {
 public:
  ModelPlain() = default;
  ModelPlain(const ModelPlain& other) { *this = static_cast<T>(other); }
  ModelPlain& operator=(const ModelPlain& other) { return *this = static_cast<T>(other); }

  ModelPlain& operator=(T value) { return write(value, false); }
  // A store past the caches.
  void stream(T value) { write(value, true); }

  operator T() const {  // NOLINT: stands for a T
    Explorer* explorer = Explorer::current();
    const int self = explorer->running_thread();
    if (self >= 0) {
      const Memory& memory = explorer->memory();
      if (!written_before(self, memory.view(self))) {
        explorer->fail(Result::Verdict::kRace, "reads what another thread may not have written");
      }
      reads_[self] = memory.tick(self);
    }
    return value_;
  }

 private:
  bool written_before(int self, const View& view) const {
    if (writer_ < 0) return true;
    return view.clock.knows(writer_, written_) &&
           (writer_ == self || view.streams.knows(writer_, fence_));
  }

  ModelPlain& write(T value, bool streamed) {
    Explorer* explorer = Explorer::current();
    const int self = explorer->running_thread();
    if (self >= 0) {
      const Memory& memory = explorer->memory();
      const View& view = memory.view(self);
      bool ordered = written_before(self, view);
      for (int i = 0; i < kMaxThreads; ++i) ordered = ordered && view.clock.knows(i, reads_[i]);
      if (!ordered) explorer->fail(Result::Verdict::kRace, "writes what another thread still uses");
      writer_ = self;
      written_ = memory.tick(self);
      fence_ = streamed ? memory.next_stream_fence(self) : uint16_t{0};
    }
    value_ = value;
    return *this;
  }

  T value_{};
  int writer_ = -1;
  uint16_t written_ = 0;
  uint16_t fence_ = 0;  // of the writer's stream fences, the one it needs; 0: none
  mutable uint16_t reads_[kMaxThreads] = {};
};

struct ModelSync {
  template <class T>
  using Atomic = ModelAtomic<T>;
  template <class T>
  using Plain = ModelPlain<T>;

  static std::memory_order order(const sync::OrderSite& site) {
    detail::g_site = site.name;
    if (detail::g_used != nullptr) detail::g_used->insert(&site);
    const Weakening& weakening = detail::g_weakening;
    return &site == weakening.site ? weakening.order : site.order;
  }
  static void fence(const sync::OrderSite& site) {
    Explorer::current()->fence(order(site), site.name);
    detail::g_site = nullptr;
  }
  static void compiler_fence() {}
  static bool fence_all_threads(const sync::OrderSite& site) {
    Explorer::current()->fence_all_threads(order(site), site.name);
    detail::g_site = nullptr;
    return true;
  }
  template <class T>
  static void stream(ModelPlain<T>* to, const T* from, size_t count) {
    for (size_t i = 0; i < count; ++i) to[i].stream(from[i]);
  }
  // Weakened, it is none.
  static void stream_fence(const sync::OrderSite& site) {
    const bool fences = order(site) != std::memory_order_relaxed;
    detail::g_site = nullptr;
    if (fences) Explorer::current()->stream_fence(site.name);
  }
  static void relax() {}
  static void prefetch_write(const void*) {}

  // A wait with a limit may end at any time, so it is as good as none.
  static void futex_wait(ModelAtomic<uint32_t>& word, uint32_t expected, int64_t timeout_ns) {
    if (timeout_ns != sync::kForever) return;
    Operation op = detail::operation(Operation::Kind::kFutexWait, word.location(), kNoOrder);
    op.expected = expected;
    Explorer::current()->perform(op);
  }
  static void futex_wake(ModelAtomic<uint32_t>& word) {
    Explorer::current()->perform(
        detail::operation(Operation::Kind::kFutexWake, word.location(), kNoOrder));
  }

  // --- The scenarios' world ---

  static void require(bool condition, const char* text) {
    if (!condition) Explorer::current()->fail(Result::Verdict::kRequirement, text);
  }

  // Repeats `attempt`, which changes nothing while it says no, until it says yes.
  template <class Attempt>
  static void await(Attempt&& attempt) {
    while (!attempt()) act(Operation::Kind::kAwait, 0);
  }
  static void join(int thread) { act(Operation::Kind::kJoin, static_cast<uint64_t>(thread)); }
  // One of 0 .. ways-1, all are tried.
  static int choose(int ways) {
    return static_cast<int>(act(Operation::Kind::kChoose, static_cast<uint64_t>(ways)));
  }
  // The caller becomes the only thread of a fork's child.
  static void become_child() { act(Operation::Kind::kKill, 0); }

 private:
  static constexpr std::memory_order kNoOrder = std::memory_order_relaxed;

  static uint64_t act(Operation::Kind kind, uint64_t operand) {
    Operation op = detail::operation(kind, -1, kNoOrder);
    op.operand = operand;
    return Explorer::current()->perform(op);
  }
};

// Explores a scenario: a default-constructible type with kThreads, thread(index) and finish().
template <class Scenario>
Result explore(const Limits& limits = {}, const Weakening& weakening = {},
               SiteSet* used = nullptr) {
  Program program;
  program.threads = Scenario::kThreads;
  if constexpr (requires { Scenario::kForks; }) program.kills = Scenario::kForks;
  program.create = []() -> void* { return new Scenario; };
  program.thread = [](void* object, int index) { static_cast<Scenario*>(object)->thread(index); };
  program.finish = [](void* object) { static_cast<Scenario*>(object)->finish(); };
  program.destroy = [](void* object) { delete static_cast<Scenario*>(object); };
  detail::g_weakening = weakening;
  detail::g_used = used;
  Explorer explorer(program, limits);
  Result result = explorer.run();
  detail::g_weakening = {};
  detail::g_used = nullptr;
  return result;
}

}  // namespace mmt::model
