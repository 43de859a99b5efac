#pragma once
// These tell which file of the process an address lies in, by /proc/self/maps. The dynamic linker's
// lists are behind a lock that the code with the fault may hold. There is one caller at a time.
#include <cstddef>
#include <cstdint>

namespace mmt::harden {

struct Module {
  const char* path;  // "": none. Until the next call
  uintptr_t offset;  // from the file's first page in memory
};

Module module_of(const void* address);

// What is mapped at an address that the program passes as a block.
enum class Mapping : uint8_t {
  kNone,
  kFile,       // of the program or a library: code, or data
  kStack,      // of the main thread
  kBreak,      // what the program break has grown by
  kAnonymous,  // anything else
};
Mapping mapping_of(const void* address);

}  // namespace mmt::harden
