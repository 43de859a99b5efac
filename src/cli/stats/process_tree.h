// What the processes of one `mmt run --stats` have told, added up as they end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/stats/claims.h"
#include "interprocess/stats_page.h"

namespace mmt::cli {

// One figure of a page; 0 where the program's library does not have it.
std::uint64_t figure(const std::vector<std::uint64_t>& values, observe::Stat stat);

// The same is no less than `value`, where the library has it.
void raise_figure(std::vector<std::uint64_t>& values, observe::Stat stat, std::uint64_t value);

// True for what only ever grows, and can therefore be added up.
bool is_counter(observe::Stat stat);

struct SameName {
  std::size_t count = 0;
  std::uint64_t peak = 0;  // bytes that the largest of them asked for
};

class ProcessTree {
 public:
  // `keeps_all`: for all() to have something.
  explicit ProcessTree(bool keeps_all) : keeps_all_(keeps_all) {}

  void add(std::vector<ProcessPage> pages);

  // What the first process, of this id, ran last. nullptr: it has told nothing.
  const ProcessPage* last_of(pid_t process) const;
  const std::vector<ProcessPage>& all() const { return all_; }
  const std::map<std::string, SameName>& names() const { return names_; }

  std::size_t processes() const { return last_.size(); }
  std::size_t images() const { return images_; }
  std::size_t forks() const { return forks_; }
  // Those of the images that exited, and so counted everything at their end.
  std::size_t exits() const { return exits_; }
  std::uint64_t most_threads() const { return most_threads_; }
  // Processes in which a memory thread served when they were heard of last.
  std::size_t served() const;
  // The sums of all processes; gauges have none.
  const std::vector<std::uint64_t>& counters() const { return counters_; }
  // Blocks that left the heap and came back.
  std::uint64_t taken() const { return taken_; }
  std::uint64_t given() const { return given_; }
  // The largest sum of peaks of processes that ran at one time: no less than there was.
  std::uint64_t most_at_a_time(observe::Stat peak) const;
  // The part of that sum that forks' children began with: their parents asked for it, and count,
  // too.
  std::uint64_t inherited_then(observe::Stat peak) const;

 private:
  struct Bytes {
    std::uint64_t peak = 0;
    std::uint64_t inherited = 0;
  };
  struct Life {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  // 0: the end of the run
    Bytes asked;
    Bytes held;
  };
  struct Last {
    ProcessPage page;
    std::size_t life = 0;
  };

  void add_one(ProcessPage page);
  Bytes largest_sum(observe::Stat peak) const;

  bool keeps_all_;
  std::vector<ProcessPage> all_;
  std::map<pid_t, Last> last_;
  std::map<std::string, SameName> names_;
  std::vector<Life> lives_;
  std::vector<std::uint64_t> counters_ =
      std::vector<std::uint64_t>(static_cast<std::size_t>(observe::Stat::kCount));
  std::uint64_t taken_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t most_threads_ = 0;
  std::size_t images_ = 0;
  std::size_t forks_ = 0;
  std::size_t exits_ = 0;
};

}  // namespace mmt::cli
