// This makes a C program by chance, the same for the same seed. The program has nothing that C
// leaves open but overflow, so all compilers with wrap-around arithmetic make the same of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/rng.h"

namespace mmt::workloads::cfront {

struct Variable {
  std::string name;
  bool is_written_to;  // not what a loop counts with
};

// Text under way: what is in scope, and how deep.
struct Writer {
  explicit Writer(uint64_t seed) : rng(seed) {}

  bool chance(uint64_t percent) { return rng.below(100) < percent; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[rng.below(from.size())];
  }
  void line(const std::string& what) {
    text.append(indent * 2, ' ');
    text += what;
    text += '\n';
  }

  Rng rng;
  std::string text;
  size_t indent = 0;
  std::vector<Variable> variables;
  std::vector<std::string> arrays;     // of 16 elements
  std::vector<std::string> structs;    // variables of the module's struct
  std::vector<std::string> fields;     // of it
  std::vector<std::string> constants;  // macros without parameters, of enumerations
  std::vector<std::string> leaves;     // functions (long, int, unsigned) that call none
  int names = 0;
};

// A name that was not there before.
std::string fresh_name(Writer& writer);
// An expression without side effects.
std::string expression(Writer& writer, int depth);
// Statements; `loops` says how many loops are around them.
void statements(Writer& writer, int count, int depth, int loops);

std::string program(uint64_t seed, uint64_t functions);

}  // namespace mmt::workloads::cfront
