// Heaps that lack something, or have something special, for wrong compositions to be made of.
#pragma once

#include <cstddef>

#include <mmt/layers/heap.h>

namespace mmt::layers {

struct Nothing {
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
};
struct Plain : Nothing {
  void* malloc(size_t) { return nullptr; }
  void free(void*) {}
};
// Blocks fit for words alone.
struct Shy : Plain {
  static constexpr size_t kAlignment = sizeof(size_t);
};
struct Skewed : Plain {
  static constexpr size_t kSkew = kBlockAlignment - sizeof(size_t);
};
struct OneSize : Plain {
  static constexpr bool kOneSize = true;
};
struct Sized : Plain {
  size_t get_size(const void*) const { return 0; }
};
struct ShyShared : Sized {
  static constexpr size_t kAlignment = sizeof(size_t);
  static constexpr bool kSharedSizes = true;
};
struct OneSized : Sized {
  static constexpr bool kOneSize = true;
};
struct Younger : Sized {
  static constexpr bool kFreesYounger = true;
};
struct Front : Sized {
  void* realloc(void*, size_t) { return nullptr; }
};
// A layer that hides malloc.
template <class Super>
struct Mute : Super {
  using Super::Super;
  void malloc(size_t) = delete;
};
// Neither size classes nor anything else.
struct NoClasses {};

}  // namespace mmt::layers
