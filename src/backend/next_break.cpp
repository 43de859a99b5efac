#include "backend/next_break.h"

#include <cerrno>

#include "names/next.h"

namespace mmt::backend {
namespace {

void* (*real_sbrk)(intptr_t) = nullptr;
int (*real_brk)(void*) = nullptr;

}  // namespace

void find_next_break() {
  real_sbrk = reinterpret_cast<decltype(real_sbrk)>(names::next_definition("sbrk"));
  real_brk = reinterpret_cast<decltype(real_brk)>(names::next_definition("brk"));
}

void* next_sbrk(intptr_t by) {
  if (real_sbrk == nullptr) find_next_break();  // a constructor's call, before ours
  if (real_sbrk != nullptr) return real_sbrk(by);
  errno = ENOMEM;
  return reinterpret_cast<void*>(-1);
}

int next_brk(void* end) {
  if (real_brk == nullptr) find_next_break();
  if (real_brk != nullptr) return real_brk(end);
  errno = ENOMEM;
  return -1;
}

}  // namespace mmt::backend
