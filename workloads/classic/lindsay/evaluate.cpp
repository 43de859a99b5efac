#include "lindsay/evaluate.h"

namespace mmt::workloads::classic::lindsay {

namespace {

int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }

int64_t divide(int64_t a, int64_t b, bool rest, Fault* fault) {
  if (b == 0) {
    *fault = Fault::kDivision;
    return 0;
  }
  // The lowest number divided by -1 would overflow.
  if (b == -1) return rest ? 0 : wrapped(0 - static_cast<uint64_t>(a));
  return rest ? a % b : a / b;
}

int64_t shift(int64_t a, int64_t by, bool left, Fault* fault) {
  if (by < 0 || by > 63) {
    *fault = Fault::kShift;
    return 0;
  }
  return left ? wrapped(static_cast<uint64_t>(a) << by) : a >> by;
}

int64_t apply(Operator op, int64_t a, int64_t b, Fault* fault) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (op) {
    case Operator::kMultiply:
      return wrapped(x * y);
    case Operator::kDivide:
      return divide(a, b, false, fault);
    case Operator::kRemainder:
      return divide(a, b, true, fault);
    case Operator::kAdd:
      return wrapped(x + y);
    case Operator::kSubtract:
      return wrapped(x - y);
    case Operator::kShiftLeft:
      return shift(a, b, true, fault);
    case Operator::kShiftRight:
      return shift(a, b, false, fault);
    case Operator::kLess:
      return a < b;
    case Operator::kLessEqual:
      return a <= b;
    case Operator::kGreater:
      return a > b;
    case Operator::kGreaterEqual:
      return a >= b;
    case Operator::kEqual:
      return a == b;
    case Operator::kUnequal:
      return a != b;
    case Operator::kBitAnd:
      return a & b;
    case Operator::kBitXor:
      return a ^ b;
    default:
      return a | b;
  }
}

}  // namespace

const char* text_of(Fault fault) {
  return fault == Fault::kDivision ? "a division by 0" : "a shift by less than 0 or more than 63";
}

int64_t evaluate(const Expression& expression, const int64_t* variables, Fault* fault) {
  switch (expression.op) {
    case Operator::kConstant:
      return expression.value;
    case Operator::kVariable:
      return variables[expression.value];
    default:
      break;
  }
  int64_t left = evaluate(*expression.left, variables, fault);
  switch (expression.op) {
    case Operator::kNegate:
      return wrapped(0 - static_cast<uint64_t>(left));
    case Operator::kNot:
      return left == 0;
    case Operator::kComplement:
      return ~left;
    // As in C, the right side is left alone when the left one decides.
    case Operator::kAnd:
      return left != 0 && evaluate(*expression.right, variables, fault) != 0;
    case Operator::kOr:
      return left != 0 || evaluate(*expression.right, variables, fault) != 0;
    default:
      break;
  }
  int64_t right = evaluate(*expression.right, variables, fault);
  return apply(expression.op, left, right, fault);
}

}  // namespace mmt::workloads::classic::lindsay
