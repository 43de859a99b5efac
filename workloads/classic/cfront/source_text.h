// Sources of programs as files: plain, or one zstd frame where the name ends with ".zst".
#pragma once

#include <string>

namespace mmt::workloads {

// The window of packed sources is so small that unpacking needs few pages. Those pages count as the
// program's.
inline constexpr int kWindowBits = 18;

// A file as text that ends with a zero byte. What cannot be read ends the program (cfront_fail).
// Unpacking calls no malloc: allocators see the same calls, packed or not.
std::string source_text(const std::string& path);

}  // namespace mmt::workloads
