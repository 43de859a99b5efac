// The one grammar of what serves a program's malloc, as all verbs that run programs take it:
//
//   - mmt, native              MMT's heap on its memory thread
//   - mmt:decay=0,nice=5       the same with options of 'mmt list options'; ':' separates them, too
//   - glibc, jemalloc, lea     an allocator or a heap, in line
//   - /path/lib.so             any library that replaces malloc, in line
//   - lea+mmt, /path/lib.so+sync   an allocator behind a protocol
//   - glibc+preallocate:base=7,queue=9   with options of the protocol
//   - sync                     a protocol over glibc
//   - fast=jemalloc+mmt        any of these under a name of one's own
#pragma once

#include <string>
#include <vector>

#include "cli/registry/settings.h"
#include "programs/allocator_choice.h"

namespace mmt::cli {

// Throws a Failure with `status` when nothing has that name, an option is wrong, or a library
// cannot be used. An allocator that is known and not installed is no failure, but `missing`.
programs::AllocatorChoice resolve_allocator(const std::string& spec, int status);

// The same for each form alone, by the names of 'mmt list heaps', 'backends' and 'protocols'. For
// these a backend that is not installed is a Failure.
programs::AllocatorChoice on_native_heap(int status);
// The native heap that checks what the program does: option harden.
programs::AllocatorChoice on_hardened_heap(int status);
// The native heap that serves some allocations from guarded places: option guard.
programs::AllocatorChoice on_guarding_heap(int status);
// Which of the native heaps settings ask for. Two at once are a Failure.
enum class NativeHeap { kPlain, kHardened, kGuarding };
NativeHeap native_heap_of(const std::vector<Setting>& settings, int status);
programs::AllocatorChoice on_native_heap(NativeHeap kind, int status);
programs::AllocatorChoice on_heap(const std::string& heap, int status);
programs::AllocatorChoice behind_protocol(const std::string& backend, const std::string& protocol,
                                          int status);

}  // namespace mmt::cli
