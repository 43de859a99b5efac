// The C++ names, [new.delete]. They are spelt as the linker sees them: the library is built without
// the C++ runtime, and replaces these functions for the whole program.
#include "preload/new_slow.h"
#include "preload/translate.h"

namespace p = mmt::preload;

namespace {

MMT_ALWAYS_INLINE void* new_plain(size_t bytes) {
  return mmt::offload::allocate_or(bytes, p::new_slow);
}
MMT_ALWAYS_INLINE void* new_nothrow(size_t bytes) {
  return mmt::offload::allocate_or(bytes, p::new_slow_nothrow);
}

}  // namespace

// operator new(size_t), new[], nothrow, aligned, aligned nothrow
MMT_EXPORT void* _Znwm(size_t bytes) { return new_plain(bytes); }
MMT_EXPORT void* _Znam(size_t bytes) { return new_plain(bytes); }
MMT_EXPORT void* _ZnwmRKSt9nothrow_t(size_t bytes, const void*) { return new_nothrow(bytes); }
MMT_EXPORT void* _ZnamRKSt9nothrow_t(size_t bytes, const void*) { return new_nothrow(bytes); }
MMT_EXPORT void* _ZnwmSt11align_val_t(size_t bytes, size_t a) { return p::new_aligned(bytes, a); }
MMT_EXPORT void* _ZnamSt11align_val_t(size_t bytes, size_t a) { return p::new_aligned(bytes, a); }
MMT_EXPORT void* _ZnwmSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t a, const void*) {
  return p::new_aligned_nothrow(bytes, a);
}
MMT_EXPORT void* _ZnamSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t a, const void*) {
  return p::new_aligned_nothrow(bytes, a);
}

// operator delete(void*), delete[], sized, nothrow, aligned, sized aligned, aligned nothrow
MMT_EXPORT void _ZdlPv(void* block) { p::deallocate(block); }
MMT_EXPORT void _ZdaPv(void* block) { p::deallocate(block); }
MMT_EXPORT void _ZdlPvm(void* block, size_t) { p::deallocate(block); }
MMT_EXPORT void _ZdaPvm(void* block, size_t) { p::deallocate(block); }
MMT_EXPORT void _ZdlPvRKSt9nothrow_t(void* block, const void*) { p::deallocate(block); }
MMT_EXPORT void _ZdaPvRKSt9nothrow_t(void* block, const void*) { p::deallocate(block); }
MMT_EXPORT void _ZdlPvSt11align_val_t(void* block, size_t) { p::deallocate(block); }
MMT_EXPORT void _ZdaPvSt11align_val_t(void* block, size_t) { p::deallocate(block); }
MMT_EXPORT void _ZdlPvmSt11align_val_t(void* block, size_t, size_t) { p::deallocate(block); }
MMT_EXPORT void _ZdaPvmSt11align_val_t(void* block, size_t, size_t) { p::deallocate(block); }
MMT_EXPORT void _ZdlPvSt11align_val_tRKSt9nothrow_t(void* block, size_t, const void*) {
  p::deallocate(block);
}
MMT_EXPORT void _ZdaPvSt11align_val_tRKSt9nothrow_t(void* block, size_t, const void*) {
  p::deallocate(block);
}
