#pragma once
// This is a part of a source, which does not compile alone.
// This makes a library of mmt::names::ProcessHeap, which has been defined. It adds the names of
// malloc and of operator new. It registers fork handlers from the start, whoever else registers
// some. The file is included once in the library.
#include "names/c_names.h"
#include "names/cxx_names.h"

MMT_EXPORT void* malloc(size_t bytes) { return p::Names::allocate(bytes, p::by_c()); }
MMT_EXPORT void free(void* block) { p::Names::deallocate(block, p::by_c()); }

namespace {

__attribute__((constructor(101))) void on_load() {
  mmt::names::ProcessHeap::install_fork_handlers();
}

}  // namespace
