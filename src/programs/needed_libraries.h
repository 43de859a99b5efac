// What the dynamic linker would load with a program: asked of itself, which does not run it.
#pragma once

#include <optional>
#include <string>

namespace mmt::programs {

struct NeededSanitizer {
  std::string library;  // file name
  std::string name;     // "AddressSanitizer"
};

// The first sanitizer with a malloc of its own among the libraries of `program`, also of what
// LD_PRELOAD names now. Returns nullopt where there is none, or the linker does not tell. `linker`
// is glibc's.
std::optional<NeededSanitizer> needed_sanitizer(const std::string& linker,
                                                const std::string& program);

}  // namespace mmt::programs
