#pragma once
// Option follow=off: the programs that this process starts do not inherit the library.
namespace mmt::preload {

// Takes the library out of LD_PRELOAD, leaving other entries, and every MMT_ variable out of the
// environment. Edits the strings and the array where they stand: nothing is allocated.
void stop_following();

// The same for any environment; `library` is the path of libmmt.so, for tests.
void remove_library(char** environment, const char* library);

}  // namespace mmt::preload
