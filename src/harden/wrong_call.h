#pragma once
// What is wrong with a call, or with what was found of a block: each reports one fault.
#include <cstddef>

#include "harden/object.h"
#include "harden/place.h"

namespace mmt::harden {

// No block begins at the address.
void tell_of_no_block(const void* address, const Place& place, Call call);
// The block is not live: freed, or never allocated.
void tell_of_freed(const void* block, Call call);
void tell_of_overflow(const void* block, size_t bytes, const void* first, Tail seen,
                      const void* caller);

// Family, size and alignment, where the call tells them: a fault each.
void tell_of_wrong_words(const void* block, size_t bytes, Form form, Tail seen, Call call,
                         bool is_alignment_right);
// As far as its address tells.
bool is_aligned_as_told(const void* block, Call call);
void check_told(Object object, uint8_t state, Call call);
// What lies behind the bytes that the program asked for, and before.
void check_bounds(Object object, size_t bytes, Call call);

}  // namespace mmt::harden
