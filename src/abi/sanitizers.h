#pragma once
// Shared libraries that bring a sanitizer's malloc and must be the first to be asked for it.
#include "abi/text.h"

namespace mmt::abi {

struct Sanitizer {
  char library[24];  // how its file name begins
  char name[20];
};

// gcc's, and clang's with -shared-libsan. UndefinedBehaviorSanitizer alone has no malloc. What is
// linked into the program stands before any library, and is none of these.
inline constexpr Sanitizer kSanitizers[] = {
    {"libasan.so", "AddressSanitizer"},
    {"libtsan.so", "ThreadSanitizer"},
    {"liblsan.so", "LeakSanitizer"},
    {"libhwasan.so", "HWAddressSanitizer"},
    {"libclang_rt.asan", "AddressSanitizer"},
    {"libclang_rt.tsan", "ThreadSanitizer"},
    {"libclang_rt.hwasan", "HWAddressSanitizer"},
    {"libclang_rt.memprof", "MemProf"},
};

// The sanitizer whose library this is, by its path; nullptr: none.
inline const Sanitizer* sanitizer_of(Text path) {
  const Text name = file_name(path);
  for (const Sanitizer& one : kSanitizers)
    if (name.starts_with(whole(one.library))) return &one;
  return nullptr;
}

}  // namespace mmt::abi
