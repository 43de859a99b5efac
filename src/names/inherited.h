#pragma once
// Programs that this one starts inherit something of the library. The function below takes it back.
//
// The function edits the strings and the array where they stand. It allocates nothing and calls no
// function of libc. So it may run before anything but this library is relocated.
namespace mmt::names {

// Takes the library out of LD_PRELOAD, with those that `mmt run` put there beside it, and every
// MMT_ variable out of the environment; other entries stay. `library` is a path. Whether LD_PRELOAD
// named the library.
bool remove_library(char** environment, const char* library);

}  // namespace mmt::names
