#pragma once
// The functions take and give (engine.h) of a protocol's client whose every operation involves
// somebody else.
#include <cstddef>

namespace mmt::protocols {

struct NothingAtOnce {
  static void* take(size_t) { return nullptr; }
  static bool give(void*) { return false; }
};

}  // namespace mmt::protocols
