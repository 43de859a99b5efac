#pragma once
// A front is a library that stands in front of an allocator, and is preloaded before it. The front
// sees the program's calls of the malloc family. It has each call served by the next library of
// that name.
//
// A front defines, before it includes c_names.h and cxx_names.h, a type `Around` with these
// static functions. `call` is the next library's function with all its arguments: it is called
// once, and its result handed on.
// - void* allocate(const Request&, Call call): a new block, or nullptr
// - void* resize(const Request&, void*, Call call): realloc of this block, maybe nullptr
// - void release(void* block, Call call): maybe nullptr
// - Result pass(const void* caller, Call call): an operator of another library, which is going to
//   call malloc or free
#include <cstddef>

namespace mmt::names::front {

struct Request {
  size_t bytes;  // SIZE_MAX: more than can be, so the call fails
  const void* caller;
  size_t alignment = 0;  // 0: malloc's
  bool zeroed = false;
};

}  // namespace mmt::names::front
