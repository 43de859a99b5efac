// Holds a T that outlives the process. Other threads, and destructors of libraries that are
// unloaded after ours, may use the T to the end.
#pragma once

namespace mmt::core {

template <class T>
union NeverDestroyed {
  constexpr NeverDestroyed() : value() {}
  ~NeverDestroyed() {}
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;
  T value;
};

}  // namespace mmt::core
