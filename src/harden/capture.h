#pragma once
// Stacks without frame pointers or tables: what on the stack points into code is taken for a return
// address. A frame that was left long ago may thus be among them. Any thread, any context, nothing
// is allocated. While another thread learns where code is, a stack has one frame.
#include "harden/stack.h"

namespace mmt::harden {

// The stack of a call that was made from `caller`, seen from a frame below.
void capture_call(Stack* stack, const void* caller);
// The stack of an instruction, whose stack pointer is `top`.
void capture_instruction(Stack* stack, const void* instruction, const void* top);

// Leaves out what no call instruction stands before, and all but the first frames. Code that is not
// there any more cannot be looked at, and its frames stay.
void keep_calls(Stack* stack);

// A fork's child: nobody else is at it.
void renew_captures_in_child();

}  // namespace mmt::harden
