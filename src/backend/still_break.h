#pragma once
// This is a part of a source, which does not compile alone.
// These are sbrk and brk of a program that moves the break itself. No two moves may run at a time,
// as libc does not bear that. So these do not run while mmt::names::ProcessHeap's memory thread may
// move the break within the library.
#include <unistd.h>

#include <mmt/core/compiler.h>

#include "backend/next_break.h"

MMT_EXPORT void* sbrk(intptr_t by) noexcept {
  if (by == 0) return mmt::backend::next_sbrk(0);  // it only looks
  const mmt::names::ProcessHeap::Stillness stillness;
  return mmt::backend::next_sbrk(by);
}

MMT_EXPORT int brk(void* end) noexcept {
  const mmt::names::ProcessHeap::Stillness stillness;
  return mmt::backend::next_brk(end);
}
