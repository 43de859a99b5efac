#pragma once
// What stands in front of an allocator: a library that is preloaded before it, sees the program's
// calls of the malloc family, and has each served by the next library of that name.
//
// A library of this kind defines, before it includes c_names.inc and cxx_names.inc, a type `Around`
// of which these static functions are called. `call` is the next library's function with all its
// arguments: it is called once, and its result handed on.
//
//   void* allocate(const Request&, Call call)       a new block, or nullptr
//   void* resize(const Request&, void*, Call call)  realloc of this block, maybe nullptr
//   void release(void* block, Call call)            maybe nullptr
//   Result pass(const void* caller, Call call)      an operator of another library, which is going
//                                                   to call malloc or free
#include <cstddef>

namespace mmt::front {

struct Request {
  size_t bytes;  // SIZE_MAX: more than can be, so the call fails
  const void* caller;
  size_t alignment = 0;  // 0: malloc's
  bool zeroed = false;
};

}  // namespace mmt::front
