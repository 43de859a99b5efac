#pragma once
// The program's C++ runtime, found when it is needed: the libraries are not linked to it. Any
// thread may call it.
#include <cstddef>

namespace mmt::names {

using NewHandler = void (*)();

// The program's new-handler; nullptr: none, or no C++ runtime.
NewHandler current_new_handler();
// Throws std::bad_alloc; stops the program where there is no C++ runtime to do so.
[[noreturn]] void throw_bad_alloc();
// These are the runtime's own nothrow forms of operator new. They call the throwing form and catch
// what comes out of it. The result is nullptr where there is no memory, or no C++ runtime.
void* runtime_new(size_t bytes);
void* runtime_new_aligned(size_t bytes, size_t alignment);

}  // namespace mmt::names
