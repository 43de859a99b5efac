// This is the simulator's own language, parsed to a tree in the heap. A line has one statement, and
// `#` begins a comment. Every node of the cube runs the whole script.
// - dimension N                  of the cube, before all else; a flag overrides it
// - let NAME = E                 each node has variables of its own, 0 at first
// - repeat E ... end             while E ... end            if E ... else ... end
// - compute E                    that many steps of work, and as much time
// - send E, E, E                 to node, length in words, first word (the others count up)
// - receive NAME [from E]        waits; takes the oldest message (from that node): its first word
// - barrier                      waits for all nodes
// - check E                      ends the program with a failure unless E is true
//
// Expressions are those of C on 64-bit integers. Names that cannot be set: node, nodes, dimension,
// scale (a flag), time, source and length (of the message last received), pending (messages).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/array.h"

namespace mmt::workloads::classic::lindsay {

// What a script can ask but not set; each has the variable of the same number.
enum Builtin : uint32_t {
  kNode,
  kNodes,
  kDimension,
  kScale,
  kTime,
  kSource,
  kLength,
  kPending,
  kBuiltins
};

enum class Operator : uint8_t {
  kConstant,
  kVariable,
  kNegate,
  kNot,
  kComplement,
  kMultiply,
  kDivide,
  kRemainder,
  kAdd,
  kSubtract,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kUnequal,
  kBitAnd,
  kBitXor,
  kBitOr,
  kAnd,
  kOr
};

struct Expression {
  Operator op;
  int64_t value = 0;  // A constant's; or the number of a variable.
  Expression* left = nullptr;
  Expression* right = nullptr;
};

enum class Kind : uint8_t {
  kLet,
  kRepeat,
  kWhile,
  kIf,
  kCompute,
  kSend,
  kReceive,
  kBarrier,
  kCheck
};

struct Statement {
  Kind kind;
  size_t line;
  size_t variable = 0;
  Expression* operands[3] = {};
  Statement* body = nullptr;
  Statement* otherwise = nullptr;  // What an `if` does otherwise.
  Statement* next = nullptr;
};

class Script {
 public:
  // `name` is used in messages. A mistake in the script is bad input.
  Script(const char* name, std::string_view text);
  ~Script();
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  const char* name() const { return name_; }
  const Statement* first() const { return first_; }
  // 0 if the script does not say.
  size_t dimension() const { return dimension_; }
  size_t variables() const { return variables_; }

 private:
  const char* name_;
  Statement* first_ = nullptr;
  size_t dimension_ = 0;
  size_t variables_ = 0;
};

}  // namespace mmt::workloads::classic::lindsay
