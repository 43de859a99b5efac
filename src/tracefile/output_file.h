#pragma once
// Opens what a trace is written to, where others may have put something of that name before: a link
// of theirs is not followed, and a file of theirs is replaced, not written into.
#include <string>

namespace mmt::tracefile {

// A descriptor of an empty file, or -1 with errno: ELOOP for another user's link. A link of the
// user's own, or of root's, leads to what is written.
int open_output(const std::string& path);

// What would be written to: the path, or where the user's own links lead. Empty, with errno: none.
std::string output_behind_links(const std::string& path);

}  // namespace mmt::tracefile
