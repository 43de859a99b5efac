// Opening page files in folders to which others may have put anything: a pipe, a link, a file of
// somebody else, or of a terabyte.
#pragma once

#include <sys/types.h>

#include <string>

#include "cli/stats/claims.h"

namespace mmt::cli {

struct FoundPage {
  PageClaim claim;
  uid_t owner = 0;
  bool is_gone = false;  // there is no file of that name any more
};

// The file `name` of the folder that is open as `folder`. It is a regular file of this file system
// that none but its owner may write to, or there is a doubt. Never waits, reads some KiB at most.
FoundPage read_page_file(int folder, const std::string& name);

// Whether the process may be this user's: it has ended, or has that user.
bool may_be_of(pid_t process, uid_t user);

}  // namespace mmt::cli
