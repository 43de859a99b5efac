#pragma once
// These are sbrk and brk for libraries that grow the program break by themselves. The steps of such
// libraries are too small for memory to be made ready ahead of them. Once asked to, these calls
// move the break further than the libraries say, and tell them what they asked for. Others may move
// the break beside us (libc's own malloc does not call these names). They find it where it really
// is, and the next piece begins behind theirs.
#include <cstddef>

namespace mmt::beside {

// From now on the break is moved further than asked, by `bytes` at least. `on_move` is called with
// the break that the callers knew of. Any thread may call it.
void extend_break_by(size_t bytes, void (*on_move)(const void* from));
// A fork's child, in which nobody moves it.
void reset_break_in_child();

}  // namespace mmt::beside
