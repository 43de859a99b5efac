// A stack that can be left and entered again: the threads of a modelled program. The first entry
// goes through ucontext, all later switches through _setjmp, which makes no system call.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <memory>

namespace mmt::model {

class Fiber {
 public:
  Fiber();

  // Makes the next resume() call body(context, index) from the start. What the fiber had not
  // finished is forgotten without unwinding.
  void restart(void (*body)(void* context, int index), void* context, int index);

  void resume();   // by the scheduler, until the fiber suspends or ends
  void suspend();  // by the fiber

 private:
  static void enter(unsigned high, unsigned low);

  static constexpr size_t kStack = 64 * 1024;

  std::unique_ptr<char[]> stack_;
  ucontext_t start_;
  ucontext_t back_;
  jmp_buf inside_;
  jmp_buf outside_;
  bool entered_ = false;
  void (*body_)(void*, int) = nullptr;
  void* context_ = nullptr;
  int index_ = 0;
};

}  // namespace mmt::model
