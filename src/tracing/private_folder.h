// Folders of this user's alone (0700) in one that others use, too, such as /dev/shm. Each is held
// by a lock, so that what a killed owner has left is known by having none.
#pragma once

#include <optional>
#include <string>

namespace mmt::tracing {

struct PrivateFolder {
  std::string path;
  int lock = -1;  // a descriptor of it
};

// "PARENT/PREFIXxxxxxx". Nothing, with errno: it cannot be made, or others could replace it.
std::optional<PrivateFolder> make_private_folder(const std::string& parent,
                                                 const std::string& prefix);
// With the files in it, and lets go of the lock.
void remove_private_folder(const PrivateFolder& folder);

// Folders and plain files of that prefix that are this user's, whose owner has ended. Links are not
// followed, and other users' are not touched.
void remove_abandoned_folders(const std::string& parent, const std::string& prefix);

}  // namespace mmt::tracing
