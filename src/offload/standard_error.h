#pragma once
// Standard error as the program was started with it. A program that was started without one, or has
// closed it, gets descriptor 2 for a file of its own: what the library has to say must not go
// there. Raw calls only; any context.
namespace mmt::offload {

// Before main, at a time when nobody else uses descriptor 2: notes which file it is.
void remember_standard_error();

// Whether descriptor 2 is that file still (or nothing has been noted yet).
bool has_standard_error();

// Before main: keeps a descriptor of that file, far from those that programs count on.
void keep_standard_error();

// Under which descriptor it can be written to: 2, else the kept one; -1 when neither is that file.
int standard_error();

}  // namespace mmt::offload
