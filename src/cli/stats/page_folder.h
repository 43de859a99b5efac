// The folder in which a program's processes keep their statistics pages (option stats=FOLDER/)
// while `mmt run --stats` waits for the program. It lies in memory where the system offers that,
// and none but its owner may look into it. Processes that have changed their user keep theirs
// beside it (interprocess/stats_page.h), where anybody may make files. Only files that know the
// folder's name are taken. That name is told to the program alone.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "cli/stats/claims.h"
#include "cli/stats/page_files.h"

namespace mmt::cli {

class PageFolder {
 public:
  // Throws a Failure (125) when none can be made.
  PageFolder();
  ~PageFolder();
  PageFolder(const PageFolder&) = delete;
  PageFolder& operator=(const PageFolder&) = delete;

  // What the library is told: the path with a slash at its end.
  const std::string& path() const { return path_; }

  // Readable when a process has begun; -1 where the system does not say.
  int news() const { return news_; }
  // Reads the news. True when so many have begun since the last take() that their pages take room.
  bool is_filling();

  // The pages of processes that have ended, or with `all` of those that run too; they are removed.
  // Oldest first.
  std::vector<ProcessPage> take(bool all);

  // Tells what files that are not taken are called, and why: one line each, and few of them.
  std::vector<std::string> refusals() const;

 private:
  void take_from(const std::string& folder, bool all, std::vector<ProcessPage>& pages);
  // Why the file is not taken; empty: it is.
  std::string doubt_about(const FoundPage& found, uid_t folder_owner, bool is_beside) const;
  static std::string doubt_about_unfinished(const FoundPage& found, const std::string& name,
                                            std::set<pid_t>& unfinished);
  void refuse(const std::string& path, const std::string& doubt);

  std::string parent_;
  std::string run_;   // the folder's name in it
  std::string told_;  // the name of the folder in that
  std::string path_;
  int lock_ = -1;  // held while the folder is in use
  int news_ = -1;
  int news_beside_ = -1;           // the watch of the parent
  std::size_t begun_ = 0;          // since the last take()
  std::set<std::string> refused_;  // that cannot be removed
  std::size_t refused_count_ = 0;
  std::vector<std::string> refusals_;
};

}  // namespace mmt::cli
