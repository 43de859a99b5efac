#pragma once
// Where the kernel places a process.
namespace mmt::sys {

// Tells whether address randomisation is off, as under a debugger and by `setarch -R`. What the
// program asks for then lies at the same addresses in each run, and so should our blocks. Judged by
// where the stack begins, without a system call. It is false where that cannot be found, and true
// by chance once in some hundred thousand runs. Any context; to be asked early, before the program
// has changed its environment.
bool addresses_are_fixed();

}  // namespace mmt::sys
