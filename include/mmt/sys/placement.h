#pragma once
// Where the kernel places a process.
namespace mmt::sys {

// Address randomisation is off, as under a debugger and by `setarch -R`: what the program asks for
// lies at the same addresses each time it is run, and so should our blocks. Judged by where the
// stack begins, without a system call; false where that cannot be found, and once in some hundred
// thousand runs true by chance. Any context; to be asked early, before the program has changed its
// environment.
bool addresses_are_fixed();

}  // namespace mmt::sys
