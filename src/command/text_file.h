#pragma once
// A whole text, written for the user.
#include <string>

namespace mmt::command {

// Replaces what the file held (tracefile/output_file.h). Throws std::runtime_error, naming the
// path.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace mmt::command
