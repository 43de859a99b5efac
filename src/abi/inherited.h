#pragma once
// What the programs that this one starts inherit of the library, and how it is taken back.
//
// Edits the strings and the array where they stand: nothing is allocated, and no function of libc
// is called, so that it may be done before anything but this library is relocated.
namespace mmt::abi {

// Takes the library out of LD_PRELOAD, with those that `mmt run` put there beside it, and every
// MMT_ variable out of the environment; other entries stay. `library` is a path. Whether LD_PRELOAD
// named the library.
bool remove_library(char** environment, const char* library);

}  // namespace mmt::abi
