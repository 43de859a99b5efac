#pragma once
// Which parts of the program break are the library's: all of it from where it was as we were
// loaded, but for what the program itself has moved it by.
#include <cstdint>

namespace mmt::agnostic {

// From there on the break is the library's: as it is loaded, before there is another thread.
void begin_break(uintptr_t at);
// The program has moved it: upwards, what lies between is its own; downwards, what comes is the
// library's again. By who moves the break, one at a time.
void note_programs_break(uintptr_t from, uintptr_t to);

// The end of the library's part in which the address lies; 0: in none. Any thread.
uintptr_t end_of_break_at(uintptr_t address);
// Changes whenever the program moves it. Any thread.
uint32_t break_version();

}  // namespace mmt::agnostic
