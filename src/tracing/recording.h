// `mmt trace`, beside the program: reads what its processes record, as they record it, and writes a
// file for each of them. One thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tracing/pool_file.h"
#include "tracing/pool_socket.h"
#include "tracing/priority.h"
#include "tracing/process_trace.h"
#include "tracing/running.h"
#include "tracing/standstill.h"
#include "tracing/thread_records.h"
#include "tracing/unrecorded.h"

namespace mmt::tracing {

struct RecordingLimits {
  std::uint64_t events = 0;  // 0: none
  double seconds = 0;        // 0: none
  // Both are for all programs together. Past so many chunks that are not read yet, beside one a
  // thread, the programs wait. Past so many bytes that are kept of them here, the recording of the
  // program that needs most ends; 0: half of the machine's memory.
  std::size_t pending_chunks = trace::kMostChunks;
  std::size_t held_bytes = 0;
};

// What there is of one process when it has ended.
struct RecordedProcess {
  std::string path;
  std::string program;
  pid_t process = 0;
  pid_t parent = 0;  // 0: the recorder itself
  std::uint64_t events = 0;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint32_t threads = 0;
  std::string failure;  // why its file is not whole, or not there; empty: it is
};

class Recording {
 public:
  // Throws a Failure (125) when there is no place to record in, or `output` cannot be written.
  Recording(const std::string& output, const RecordingLimits& limits, bool has_sites,
            bool first_only);
  ~Recording();

  // It is for the program's environment.
  const std::string& pool_path() const { return socket_.path(); }

  // Readable when read_on() is to be called.
  int news() const { return news_; }
  void read_on();
  // What read_on() does once it is time: how many records were taken.
  std::size_t look() { return round(false); }
  // A pool that has come through the socket.
  void take_pool(const AnnouncedPool& announced);
  // The program has ended. The rest, and the file that was asked for: a trace, or the list of them.
  void finish();

  const std::vector<RecordedProcess>& processes() const { return done_; }
  // Whose files could not be written to their ends; those of the others were.
  const std::vector<RecordedProcess>& failed() const { return failed_; }
  // What ran without being recorded, as far as it was seen.
  std::vector<Unrecorded::Program> unrecorded() const { return unrecorded_.programs(); }
  std::uint64_t waits() const { return waits_; }
  // Processes that had not ended when the program had, as far as is known.
  std::size_t still_running() const { return still_running_; }
  const ProcessTrace::Counts& counts() const { return counts_; }
  // What kept it from writing on; empty: nothing.
  const std::string& error() const { return error_; }
  // As that, of single programs, each named: the other traces are whole. The first of many.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  // For so long a taken chunk may tell nothing, or nothing may be told of a fork though all that
  // was recorded before is read. Past that, a thread was killed, or jumped out of a handler.
  static constexpr std::uint64_t kMissingFor = 1'000'000'000;
  // Records of a process in a round.
  static constexpr std::size_t kMostAtOnce = 1 << 18;
  // Objects that forks have left, as far as that is a choice.
  static constexpr std::size_t kMostLeft = std::size_t{4} << 20;

  // Pools that are sent at once, as far as others wait for what comes then.
  static constexpr std::size_t kMostNews = 256;
  static constexpr std::size_t kMostFaults = 20;
  static constexpr std::size_t kBytesANode = 64;  // of a map, with its small value
  // Limits of one process: nobody has so many forks under way, nor threads at a time.
  static constexpr std::size_t kMostForks = 1 << 14;
  static constexpr std::size_t kMostThreads = 4 * trace::kMostChunks;
  static constexpr std::size_t kMostArguments = 8192;

  struct SourceThread {
    ThreadRecords* records = nullptr;
    std::uint32_t process = 0;  // its number in the pool
  };
  // A pool, and the processes that record in it: its sender, and children of forks that could make
  // none.
  struct Source {
    std::unique_ptr<PoolFile> pool;
    std::string name;             // as the kernel calls the owner at first
    pid_t owner = 0;              // of the own pid namespace, as the kernel says
    std::size_t last_chunks = 0;  // that came once the recording was over
    std::size_t users = 0;        // processes that have not ended
    std::uint64_t fork_ns = 0;    // when the last fork was told
    // By number in the pool: the number among all. None: nothing of it is read any more.
    std::map<std::uint32_t, std::uint32_t> processes;
    std::map<std::uint32_t, SourceThread> threads;
    Standstill standstill;
    // Its pool is told of the end as long as the owner runs, who may have written over that.
    bool has_failed = false;
    std::uint64_t running_ns = 0;  // when the owner was seen to run
    std::uint64_t given = 0;       // by its pool, when that was more than before
    std::uint64_t given_ns = 0;    // when that was
  };

  struct Process {
    std::unique_ptr<ProcessTrace> trace;
    std::uint32_t source = 0;
    std::uint32_t number_there = 0;
    pid_t near_id = 0;  // in the own pid namespace; 0: not known
    std::uint64_t pid_space = 0;
    std::uint64_t start_ns = 0;  // monotonic
    std::uint64_t start_epoch_ns = 0;
    std::uint64_t last_ns = 0;                     // when a record was there last
    std::uint64_t look_ns = 0;                     // when it is looked at next, whether it has gone
    bool is_read = false;                          // its settled records were, by the last look
    std::uint64_t read_ns = 0;                     // when that was so last
    std::uint64_t awaited_fork = 0;                // what it inherits is told under this token
    std::string command;                           // the parent's, until it tells its own
    std::string arguments;                         // as much as it has told
    bool is_superseded = false;                    // another program runs in it
    bool is_over = false;                          // nothing of it is read any more
    std::size_t most_live = std::size_t{1} << 20;  // blocks that it may have unasked
    std::size_t held_bytes = 0;                    // that are kept for it, by the last account
    std::deque<std::uint64_t> forks;               // tokens that it has left
    bool has_begun = false;                        // it has told something
    bool has_gone = false;                         // it was so when it was looked at last
    // By number, the chunk that each would have next.
    std::map<std::uint32_t, std::uint64_t> ended_threads;
    std::vector<std::unique_ptr<ThreadRecords>> threads;
  };
  struct Left {
    std::shared_ptr<const Inheritance> inheritance;
    std::uint64_t ns = 0;
    std::size_t objects = 0;  // that no other has
  };

  // As the reading functions below: how many records were taken.
  std::size_t round(bool is_last);
  // Whether nothing more has come.
  bool take_pools(std::size_t most);
  void drop_idle_sources();
  bool is_to_be_told(Source& source) const;
  std::uint32_t add_process(std::uint32_t source, std::uint32_t number_there, pid_t near_id);
  // What is in a pool is none of a program's records: its processes' files end here, and no
  // others'.
  void fail(std::uint32_t source, const std::string& what);
  void end_reading(std::uint32_t source, const std::string& why);
  void tell_fault(const std::string& why);
  std::string name_of_owner(const Source& source) const;
  void adopt_chunks();
  void adopt_chunks_of(std::uint32_t number, Source& source);
  std::uint32_t add_sharing(std::uint32_t number, Source& source, const TakenChunk& head);
  Process& process_of(std::uint32_t number, Source& source, const TakenChunk& head);
  ThreadRecords& thread_of(std::uint32_t number, Source& source, const TakenChunk& head);
  void check_stamp(std::uint64_t stamp) const;
  void check_live(Process& process) const;
  static std::size_t own_bound();
  void bound_pending();
  void trim_pools();
  // Counts what is kept for it.
  void account(Process& process);
  // Whether more is kept for all than may be.
  bool is_full() const;
  void bound_held();
  PoolFile& pool_of(const Process& process) { return *sources_.at(process.source).pool; }
  bool is_urgent() const;
  bool may_read(Process& process, bool is_last);
  std::size_t count_running();
  bool is_told_of(const Process& process) const;
  // At the end, when nothing more can be read: gives up something that is waited for. False: there
  // is nothing.
  bool wait_for_less();
  std::size_t read_if_it_may(Process& process, std::uint64_t until, bool is_last);
  std::size_t read(Process& process, std::uint64_t until);
  std::size_t read_one_thread(Process& process, ThreadRecords& thread);
  std::size_t read_threads(Process& process, std::uint64_t until);
  void take(Process& process, ThreadRecords& thread, const trace::Seen& record);
  void take_other(Process& process, ThreadRecords& thread, const trace::Seen& record);
  void take_arguments(Process& process, const std::string& part);
  void open_file(Process& process);
  void keep_house();
  void keep_chunks(Source& source);
  // Ends the recording of programs that else would wait for ever.
  void end_standstills();
  std::size_t held_chunks(const Source& source) const;
  void keep_inheritances();
  bool has_gone(Process& process);
  // Looks at processes that have told nothing so far, or at all. Returns whether any has ended.
  bool look_for_ends(bool is_of_all);
  // Whether it has ended, and all that it has left is read.
  bool is_done(Process& process);
  void leave(Process& process, std::uint64_t token);
  void forget(std::map<std::uint64_t, Left>::iterator left);
  // Whether so much is left to children that those after it are to take theirs before it goes on.
  bool is_laden(const Process& process) const;
  static void remember_end(Process& process, const ThreadRecords& thread);
  void end_threads(Process& process);
  void end_process(Process& process);
  void end_pools();
  void stop();
  void finish_files();
  void arm(std::uint64_t ns);

  std::string output_;
  RecordingLimits limits_;
  bool first_only_;
  PoolSocket socket_;
  int timer_ = -1;
  int news_ = -1;  // of timer and socket
  bool has_first_ = false;
  std::uint64_t pause_ns_ = 0;
  std::uint64_t own_pid_space_ = 0;
  std::set<pid_t> earlier_children_;  // not the program's
  std::uint64_t start_ns_ = 0;
  std::uint64_t now_ns_ = 0;
  std::uint64_t housed_ns_ = 0;
  std::uint64_t seen_events_ = 0;
  bool is_stopped_ = false;   // nothing is read any more
  bool is_finished_ = false;  // the files are
  bool is_last_ = false;      // the program has ended
  std::uint64_t latest_stamp_ = 0;
  std::uint32_t newest_ = 0;                 // number of a source or a process
  std::map<std::uint32_t, Source> sources_;  // by number, in the order in which they came
  std::map<std::uint32_t, Process> processes_;
  Priority priority_;
  Unrecorded unrecorded_;
  std::uint64_t looked_for_others_ns_ = 0;
  RunningBelow below_;
  std::uint64_t looked_below_ns_ = 0;
  std::map<std::uint64_t, Left> left_;  // by forks' tokens
  std::size_t left_objects_ = 0;
  std::size_t held_bytes_ = 0;   // sum of all processes'
  bool is_withholding_ = false;  // too much is pending
  bool is_laden_ = false;        // the process that is read
  std::map<pid_t, int> images_;  // files of a process so far
  std::vector<RecordedProcess> done_;
  std::vector<RecordedProcess> failed_;
  ProcessTrace::Counts counts_;
  std::uint64_t waits_ = 0;
  std::size_t still_running_ = 0;
  std::string error_;
  std::vector<std::string> faults_;
};

}  // namespace mmt::tracing
