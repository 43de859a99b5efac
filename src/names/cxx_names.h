#pragma once
// This is a part of a source, which does not compile alone.
// The C++ names, [new.delete]. They are spelt as the linker sees them: the library is built without
// the C++ runtime, and replaces these functions for the whole program. Included once in a library,
// where mmt::names::ProcessHeap has been defined.
#include "names/call.h"
#include "names/new_over.h"
#include "names/translate.h"

namespace p = mmt::names;

namespace mmt::names {
using New = NewOver<ProcessHeap>;
using Delete = Translate<ProcessHeap>;
// The call by which a C++ name came here.
template <Form kForm>
MMT_ALWAYS_INLINE CallOf<ProcessHeap> by_cxx(size_t bytes = kUntold, size_t alignment = kUntold) {
  return by<ProcessHeap>(kForm, bytes, alignment);
}
inline constexpr Form kOne = Form::kNew;
inline constexpr Form kArray = Form::kNewArray;
inline constexpr Form kOneAligned = Form::kNewAligned;
inline constexpr Form kArrayAligned = Form::kNewArrayAligned;
}  // namespace mmt::names

// operator new(size_t), new[], nothrow, aligned, aligned nothrow
MMT_EXPORT void* _Znwm(size_t bytes) { return p::New::plain(bytes, p::by_cxx<p::kOne>()); }
MMT_EXPORT void* _Znam(size_t bytes) { return p::New::plain(bytes, p::by_cxx<p::kArray>()); }
MMT_EXPORT void* _ZnwmRKSt9nothrow_t(size_t bytes, const void*) {
  return p::New::nothrow(bytes, p::by_cxx<p::kOne>());
}
MMT_EXPORT void* _ZnamRKSt9nothrow_t(size_t bytes, const void*) {
  return p::New::nothrow(bytes, p::by_cxx<p::kArray>());
}
MMT_EXPORT void* _ZnwmSt11align_val_t(size_t bytes, size_t a) {
  return p::New::aligned(bytes, a, p::by_cxx<p::kOneAligned>());
}
MMT_EXPORT void* _ZnamSt11align_val_t(size_t bytes, size_t a) {
  return p::New::aligned(bytes, a, p::by_cxx<p::kArrayAligned>());
}
MMT_EXPORT void* _ZnwmSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t a, const void*) {
  return p::New::aligned_nothrow(bytes, a, p::by_cxx<p::kOneAligned>());
}
MMT_EXPORT void* _ZnamSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t a, const void*) {
  return p::New::aligned_nothrow(bytes, a, p::by_cxx<p::kArrayAligned>());
}

// operator delete(void*), delete[], sized, nothrow, aligned, sized aligned, aligned nothrow
MMT_EXPORT void _ZdlPv(void* block) { p::Delete::deallocate(block, p::by_cxx<p::kOne>()); }
MMT_EXPORT void _ZdaPv(void* block) { p::Delete::deallocate(block, p::by_cxx<p::kArray>()); }
MMT_EXPORT void _ZdlPvm(void* block, size_t bytes) {
  p::Delete::deallocate(block, p::by_cxx<p::kOne>(bytes));
}
MMT_EXPORT void _ZdaPvm(void* block, size_t bytes) {
  p::Delete::deallocate(block, p::by_cxx<p::kArray>(bytes));
}
MMT_EXPORT void _ZdlPvRKSt9nothrow_t(void* block, const void*) {
  p::Delete::deallocate(block, p::by_cxx<p::kOne>());
}
MMT_EXPORT void _ZdaPvRKSt9nothrow_t(void* block, const void*) {
  p::Delete::deallocate(block, p::by_cxx<p::kArray>());
}
MMT_EXPORT void _ZdlPvSt11align_val_t(void* block, size_t a) {
  p::Delete::deallocate(block, p::by_cxx<p::kOneAligned>(p::kUntold, a));
}
MMT_EXPORT void _ZdaPvSt11align_val_t(void* block, size_t a) {
  p::Delete::deallocate(block, p::by_cxx<p::kArrayAligned>(p::kUntold, a));
}
MMT_EXPORT void _ZdlPvmSt11align_val_t(void* block, size_t bytes, size_t a) {
  p::Delete::deallocate(block, p::by_cxx<p::kOneAligned>(bytes, a));
}
MMT_EXPORT void _ZdaPvmSt11align_val_t(void* block, size_t bytes, size_t a) {
  p::Delete::deallocate(block, p::by_cxx<p::kArrayAligned>(bytes, a));
}
MMT_EXPORT void _ZdlPvSt11align_val_tRKSt9nothrow_t(void* block, size_t a, const void*) {
  p::Delete::deallocate(block, p::by_cxx<p::kOneAligned>(p::kUntold, a));
}
MMT_EXPORT void _ZdaPvSt11align_val_tRKSt9nothrow_t(void* block, size_t a, const void*) {
  p::Delete::deallocate(block, p::by_cxx<p::kArrayAligned>(p::kUntold, a));
}
