#pragma once
// Opens what is written for the user, where others may have put something of that name before. A
// link of theirs is not followed, and a pipe of theirs is not waited for. A file of theirs is
// replaced, not written into.
#include <string>

namespace mmt::tracefile {

enum class Before { kEmptied, kKept };

// A descriptor, or -1 with errno: ELOOP for another user's link. A link of the user's own, or of
// root's, leads to what is written. What a file of the user's own held is gone, or stays for now.
int open_output(const std::string& path, Before before = Before::kEmptied);

// What would be written to: the path, or where the user's own links lead. Empty, with errno: none.
std::string output_behind_links(const std::string& path);

}  // namespace mmt::tracefile
