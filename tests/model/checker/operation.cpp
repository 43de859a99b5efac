#include "checker/operation.h"

namespace mmt::model {
namespace {

const char* name_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

const char* name_of(Operation::Change change) {
  switch (change) {
    case Operation::Change::kExchange:
      return "exchange";
    case Operation::Change::kAdd:
      return "fetch_add";
    case Operation::Change::kSub:
      return "fetch_sub";
    case Operation::Change::kOr:
      return "fetch_or";
    case Operation::Change::kAnd:
      return "fetch_and";
    case Operation::Change::kCompareExchange:
      return "compare_exchange";
  }
  return "?";
}

}  // namespace

bool writes(const Operation& op, uint64_t value) {
  return op.change != Operation::Change::kCompareExchange || value == op.expected;
}

uint64_t changed(const Operation& op, uint64_t value) {
  switch (op.change) {
    case Operation::Change::kExchange:
    case Operation::Change::kCompareExchange:
      return op.operand;
    case Operation::Change::kAdd:
      return (value + op.operand) & op.mask;
    case Operation::Change::kSub:
      return (value - op.operand) & op.mask;
    case Operation::Change::kOr:
      return value | op.operand;
    case Operation::Change::kAnd:
      return value & op.operand;
  }
  return value;
}

std::string describe(const Operation& op) {
  const std::string where = "a" + std::to_string(op.location);
  const std::string value = std::to_string(op.operand);
  std::string text;
  switch (op.kind) {
    case Operation::Kind::kNone:
      return "nothing";
    case Operation::Kind::kLoad:
      text = "load " + where;
      break;
    case Operation::Kind::kStore:
      text = "store " + where + " = " + value;
      break;
    case Operation::Kind::kModify:
      text = std::string(name_of(op.change)) + " " + where + " ";
      if (op.change == Operation::Change::kCompareExchange) {
        text += std::to_string(op.expected) + " -> ";
      }
      text += value;
      break;
    case Operation::Kind::kFence:
      text = "fence";
      break;
    case Operation::Kind::kBarrier:
      text = "barrier on T" + value;
      break;
    case Operation::Kind::kFutexWait:
      return "futex_wait " + where + " while " + std::to_string(op.expected);
    case Operation::Kind::kFutexWake:
      return "futex_wake " + where;
    case Operation::Kind::kAwait:
      return "await a newer store";
    case Operation::Kind::kJoin:
      return "join T" + value;
    case Operation::Kind::kChoose:
      return "choose of " + value;
    case Operation::Kind::kKill:
      return "end all other threads";
  }
  text += std::string(" ") + name_of(op.order);
  if (op.site != nullptr) text += std::string(" (") + op.site + ")";
  return text;
}

}  // namespace mmt::model
