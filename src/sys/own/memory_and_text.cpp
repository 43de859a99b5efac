// The functions of <string.h> that a library which replaces malloc calls, under libc's names,
// hidden. Whoever interposes libc's may allocate there; inside malloc and free that must not come
// to pass. Calls that the compiler makes bind to these too. It must not make any here, of the loop
// that is the function itself (CMakeLists.txt).
#include <cstddef>

#include <mmt/core/compiler.h>

#include "sys/linux/libc_function.h"
#include "sys/own/bytes.h"

namespace {

using mmt::sys::LibcFunction;
namespace own = mmt::sys::own;

// For large sizes libc knows what suits the CPU.
using LargeMove = LibcFunction<"memmove", void*(void*, const void*, size_t),
                               decltype([](auto... a) { return own::move_large(a...); })>;
using LargeFill = LibcFunction<"memset", void*(void*, int, size_t),
                               decltype([](auto... a) { return own::fill_large(a...); })>;

}  // namespace

MMT_OWN void* memmove(void* to, const void* from, size_t size) {
  return size > own::kSmall ? LargeMove::call(to, from, size) : own::move_small(to, from, size);
}

MMT_OWN void* memcpy(void* to, const void* from, size_t size) __attribute__((alias("memmove")));

MMT_OWN void* memset(void* to, int byte, size_t size) {
  return size > own::kSmall ? LargeFill::call(to, byte, size)
                            : own::fill_small(to, static_cast<uint8_t>(byte), size);
}

MMT_OWN int memcmp(const void* left, const void* right, size_t size) {
  return own::compare(left, right, size);
}

MMT_OWN void* memchr(const void* text, int byte, size_t size) {
  const auto* at = static_cast<const char*>(text);
  for (const char* const end = at + size; at != end; ++at)
    if (*at == static_cast<char>(byte)) return const_cast<char*>(at);
  return nullptr;
}

MMT_OWN void* memrchr(const void* text, int byte, size_t size) {
  const auto* const begin = static_cast<const char*>(text);
  for (size_t i = size; i != 0; --i)
    if (begin[i - 1] == static_cast<char>(byte)) return const_cast<char*>(begin + i - 1);
  return nullptr;
}

MMT_OWN size_t strlen(const char* text) {
  size_t size = 0;
  while (text[size] != '\0') ++size;
  return size;
}

MMT_OWN int strncmp(const char* left, const char* right, size_t most) {
  for (size_t i = 0; i < most; ++i) {
    const auto a = static_cast<unsigned char>(left[i]);
    const auto b = static_cast<unsigned char>(right[i]);
    if (a != b || a == 0) return a - b;
  }
  return 0;
}

MMT_OWN int strcmp(const char* left, const char* right) { return strncmp(left, right, ~size_t{0}); }

MMT_OWN char* strchr(const char* text, int character) {
  for (;; ++text) {
    if (*text == static_cast<char>(character)) return const_cast<char*>(text);
    if (*text == '\0') return nullptr;
  }
}

MMT_OWN char* strrchr(const char* text, int character) {
  const char* found = nullptr;
  for (;; ++text) {
    if (*text == static_cast<char>(character)) found = text;
    if (*text == '\0') return const_cast<char*>(found);
  }
}

MMT_OWN size_t strcspn(const char* text, const char* ends) {
  size_t size = 0;
  while (text[size] != '\0' && strchr(ends, text[size]) == nullptr) ++size;
  return size;
}

MMT_OWN char* strstr(const char* text, const char* wanted) {
  const size_t size = strlen(wanted);
  for (;; ++text) {
    if (strncmp(text, wanted, size) == 0) return const_cast<char*>(text);
    if (*text == '\0') return nullptr;
  }
}
