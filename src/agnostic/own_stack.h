#pragma once
// A stack for a thread that must be nobody else's. pthread gives a fork's child the stacks of its
// parent's other threads again, and with a stack goes the pthread_t. Some libraries know threads by
// that: oneTBB takes a thread with the pthread_t of one of the parent's for the owner of that one's
// blocks, and crashes at its first free of one. Of a stack that pthread did not make it knows
// nothing: no thread of a child gets the parent's memory thread's, nor its memory thread one of the
// parent's that is still mapped.
#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>

#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

namespace mmt::agnostic {

class OwnStack {
 public:
  // It is the thread's to the end of the process, and stays in its children. Null without memory
  // for it: then the thread has one of pthread's. Once.
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
  // No multiple of a huge page: the kernel would begin it at one, and what lies below it next would
  // be known by as many bits less.
  static constexpr size_t kBytes = (size_t{8} << 20) + sys::kPageSize;

  pthread_attr_t attributes_;
  void* lowest_ = nullptr;
};

}  // namespace mmt::agnostic
