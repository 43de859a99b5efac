#pragma once
// The variables of the environment that are read, but for options of the library, each of which has
// its own (MMT_DECAY). One of these is none.
#include <cstddef>

#include "interprocess/option_table.h"

namespace mmt::options {

struct Variable {
  const char* name;
  bool is_own;  // set by MMT for parts of its own, else by people
  const char* help;
};

struct Variables {
  const Variable* first;
  size_t count;
  const Variable* begin() const { return first; }
  const Variable* end() const { return first + count; }
};

Variables variables();

// It goes by the whole name, "MMT_LIBRARY".
bool is_variable(Text name);

}  // namespace mmt::options
