#pragma once
// OwnStack is a stack for a thread that must be nobody else's. A fork's child gets from pthread the
// stacks of its parent's other threads again, and with a stack goes the pthread_t. Some libraries
// know threads by the pthread_t. The library oneTBB takes a thread with the pthread_t of a parent's
// thread for the owner of that thread's blocks. It crashes at its first free of such a block. A
// stack that pthread did not make is unknown to pthread. So no thread of a child gets the stack of
// the parent's memory thread. Nor does the child's memory thread get a stack of the parent's that
// is still mapped.
#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>

#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

namespace mmt::protocols {

class OwnStack {
 public:
  // It is the thread's to the end of the process, and stays in its children. Null without memory
  // for it: then the thread has one of pthread's. It is called once.
  const pthread_attr_t* attributes() {
    if (::pthread_attr_init(&attributes_) != 0) return nullptr;
    lowest_ = sys::map_anywhere(kBytes);
    if (lowest_ == nullptr) return nullptr;
    sys::raw_syscall(SYS_mprotect, sys::pointer_argument(lowest_), sys::kPageSize, PROT_NONE);
    return ::pthread_attr_setstack(&attributes_, lowest_, kBytes) == 0 ? &attributes_ : nullptr;
  }
  // No thread has started on it.
  void give_back() {
    if (lowest_ != nullptr) sys::unmap(lowest_, kBytes);
  }

 private:
  // The size is no multiple of a huge page. If it were, the kernel would begin the stack at one.
  // The memory that lies next below it would then be known by as many bits less.
  static constexpr size_t kBytes = (size_t{8} << 20) + sys::kPageSize;

  pthread_attr_t attributes_;
  void* lowest_ = nullptr;
};

}  // namespace mmt::protocols
