// The steps themselves: when a thread can go on, in which ways, and what a step does.
#include <algorithm>

#include "checker/explorer.h"

namespace mmt::model {

using Kind = Operation::Kind;

bool Explorer::enabled(int thread) {
  const Thread& t = threads_[thread];
  if (t.finished || t.in_futex) return false;
  if (t.pending.kind == Kind::kJoin) return threads_[t.pending.operand].finished;
  if (t.pending.kind == Kind::kAwait) {
    return std::any_of(t.reads.begin(), t.reads.end(), [this](const Read& read) {
      return memory_.newest(read.location).time > read.time;
    });
  }
  return true;
}

void Explorer::options_of(int thread, std::vector<uint64_t>* out) {
  const Operation& op = threads_[thread].pending;
  std::vector<StoreId> stores;
  switch (op.kind) {
    case Kind::kLoad:
      memory_.readable(thread, op.location, 0, &stores);
      break;
    case Kind::kStore:
      memory_.placeable(thread, op.location, &stores);
      break;
    case Kind::kModify:
      memory_.readable(thread, op.location, 0, &stores);
      std::erase_if(stores, [&](StoreId id) {
        return writes(op, memory_.find(op.location, id).value) &&
               !memory_.can_modify(op.location, id);
      });
      break;
    case Kind::kFutexWait:
      memory_.readable(thread, op.location, memory_.futex_floor(op.location), &stores);
      break;
    case Kind::kFutexWake:
      for (int i = 0; i < program_.threads; ++i) {
        if (threads_[i].in_futex && threads_[i].pending.location == op.location) {
          out->push_back(static_cast<uint64_t>(i));
        }
      }
      if (out->empty()) out->push_back(kMaxThreads);
      break;
    case Kind::kChoose:
      for (uint64_t i = 0; i < op.operand; ++i) out->push_back(i);
      break;
    default:
      out->push_back(0);
  }
  out->insert(out->end(), stores.begin(), stores.end());
}

void Explorer::note_read(int thread, int location, StoreId id) {
  threads_[thread].reads.push_back({location, id, memory_.find(location, id).time});
}

void Explorer::learn(ThreadMask* who, int thread) {
  if ((*who & bit(thread)) != 0) return;
  *who |= bit(thread);
  learnt_ = true;
}

void Explorer::execute(int thread, uint64_t option) {
  Thread& t = threads_[thread];
  const Operation& op = t.pending;
  const auto store = static_cast<StoreId>(option);
  std::string outcome;
  switch (op.kind) {
    case Kind::kLoad:
      note_read(thread, op.location, store);
      t.result = memory_.load(thread, op.location, store, op.order);
      break;
    case Kind::kStore:
      learn(&writers_[op.location], thread);
      memory_.store(thread, op.location, store, op.operand, op.order);
      break;
    case Kind::kModify: {
      note_read(thread, op.location, store);
      const uint64_t value = memory_.find(op.location, store).value;
      t.result = value;
      if (writes(op, value)) {
        learn(&writers_[op.location], thread);
        memory_.modify(thread, op.location, store, changed(op, value), op.order);
      } else {
        memory_.load(thread, op.location, store, op.failure);
      }
      break;
    }
    case Kind::kFence:
      learn(&fencers_, thread);
      memory_.fence(thread, op.order);
      break;
    case Kind::kBarrier:
      // What the caller did is passed on, what the other did is learnt.
      learn(&fencers_, thread);
      learn(&barrierers_, thread);
      memory_.fence(thread, op.order);
      memory_.fence(static_cast<int>(op.operand), op.order);
      memory_.fence(thread, op.order);
      break;
    case Kind::kFutexWait:
      learn(&futexers_, thread);
      t.result = memory_.load(thread, op.location, store, std::memory_order_relaxed);
      t.in_futex = t.result == op.expected;
      break;
    case Kind::kFutexWake:
      learn(&futexers_, thread);
      memory_.futex_woken(thread, op.location);
      if (option < kMaxThreads) threads_[option].in_futex = false;
      break;
    case Kind::kJoin:
      memory_.hand_over(static_cast<int>(op.operand), thread);
      break;
    case Kind::kChoose:
      t.result = option;
      break;
    case Kind::kKill:
      for (int i = 0; i < program_.threads; ++i) {
        if (i != thread) threads_[i].finished = true;
      }
      live_ = bit(thread);
      memory_.see_everything(thread);
      break;
    case Kind::kAwait:
    case Kind::kNone:
      break;
  }
  if (tracing_) {
    switch (op.kind) {
      case Kind::kLoad:
      case Kind::kModify:
      case Kind::kChoose:
        outcome = " -> " + std::to_string(t.result);
        break;
      case Kind::kFutexWait:
        outcome = t.in_futex ? " sleeps" : " sees " + std::to_string(t.result);
        break;
      case Kind::kFutexWake:
        outcome = option < kMaxThreads ? " wakes T" + std::to_string(option) : " finds nobody";
        break;
      default:
        break;
    }
    record(thread, op, outcome);
  }
}

void Explorer::record(int thread, const Operation& op, const std::string& outcome) {
  result_.trace += "  T" + std::to_string(thread) + " " + describe(op) + outcome + "\n";
}

}  // namespace mmt::model
