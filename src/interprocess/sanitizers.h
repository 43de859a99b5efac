#pragma once
// What brings a sanitizer's malloc, which must be the first, and only, to be asked.
#include "core/text.h"

namespace mmt::names {

struct Sanitizer {
  char library[24];  // how its file name begins
  char name[20];
};

// gcc's, and clang's with -shared-libsan. UndefinedBehaviorSanitizer alone has no malloc.
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

// A program that defines malloc, and asks for this, has a sanitizer of any kind linked in.
inline constexpr char kAskedForBySanitizers[] = "__sanitizer_symbolize_code";

// The sanitizer whose library this is, by its path; nullptr: none.
inline const Sanitizer* sanitizer_of(core::Text path) {
  const core::Text name = core::file_name(path);
  for (const Sanitizer& one : kSanitizers)
    if (name.starts_with(core::whole(one.library))) return &one;
  return nullptr;
}

}  // namespace mmt::names
