// The folder in which a program's processes keep their statistics pages (option stats=FOLDER/)
// while `mmt run --stats` waits for the program. It lies in memory where the system offers that.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmt::cli {

// What one image of a process left: each exec begins another.
struct ProcessPage {
  pid_t process = 0;
  std::string program;  // as the kernel names it, at most 15 bytes
  bool is_forked = false;
  bool has_exited = false;  // the values are the last ones
  std::uint64_t opened_ns = 0;
  std::uint64_t ended_ns = 0;            // 0 unless has_exited
  std::vector<std::uint64_t> values;     // in the order of kStatFields
  std::vector<std::uint64_t> inherited;  // of a fork's child, what its counters began with
};

// What the name of each begins with.
inline constexpr const char* kPageFolderPrefix = "mmt-stats-";

// Whether a value of the option `stats` is the folder of an outer `mmt run --stats`.
bool is_page_folder(std::string_view path);

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

 private:
  std::string path_;
  int lock_ = -1;  // held while the folder is in use
  int news_ = -1;
  std::size_t begun_ = 0;  // since the last take()
};

}  // namespace mmt::cli
