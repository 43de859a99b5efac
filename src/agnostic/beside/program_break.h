#pragma once
// sbrk and brk for libraries that grow the program break by themselves, in steps too small for
// memory to be made ready ahead of them: once asked to, the break is moved further than they say,
// and they are told what they asked for. Those who move the break beside us (libc's own malloc does
// not call these names) find it where it really is, and the next piece begins behind theirs.
#include <cstddef>

namespace mmt::agnostic {

// From now on the break is moved so much further than asked, at least, and on_move is called with
// the break that the callers knew of. Any thread.
void extend_break_by(size_t bytes, void (*on_move)(const void* from));
// A fork's child, in which nobody moves it.
void reset_break_in_child();

}  // namespace mmt::agnostic
