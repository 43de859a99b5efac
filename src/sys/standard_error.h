#pragma once
// This is standard error as the program was started with it. A program that was started without
// one, or has closed it, gets descriptor 2 for a file of its own. The library's messages must not
// go there. The calls here make raw calls only, and are for any context.
namespace mmt::sys {

// Before main, at a time when nobody else uses descriptor 2: notes which file it is.
void remember_standard_error();

// Whether descriptor 2 is that file still (or nothing has been noted yet).
bool has_standard_error();

// Before main: keeps a descriptor of that file, far from those that programs count on.
void keep_standard_error();

// Under which descriptor it can be written to: 2, else the kept one; -1 when neither is that file.
int standard_error();

}  // namespace mmt::sys
