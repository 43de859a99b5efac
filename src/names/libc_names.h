#pragma once
// A look-up of a name of ours in libc itself finds ours. An object that was opened with
// RTLD_DEEPBIND looks there before it looks at what was preloaded. A dlsym of libc's handle looks
// there too. For that libc's table of symbols, in memory, is made to lead to ours.
#include <cstddef>

namespace mmt::names {

class LibcNames {
 public:
  static constexpr size_t kMost = 128;  // of the names that a library of ours and libc have

  // It is called once, before there is a second thread. Nothing happens where we do not come before
  // libc, or the system refuses to let the table be written.
  void take();

  // What libc itself has where its table now leads to `function`; else that.
  void* original_of(void* function) const {
    for (size_t i = 0; i < count_; ++i) {
      if (taken_[i].ours == function) return taken_[i].libcs;
    }
    return function;
  }

 private:
  struct Taken {
    void* ours;
    void* libcs;
  };
  Taken taken_[kMost] = {};
  size_t count_ = 0;
};

inline constinit LibcNames libc_names;

}  // namespace mmt::names
