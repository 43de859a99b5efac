// What one process did, from records to a trace file: addresses become objects.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/pool.h"
#include "tracefile/writer.h"
#include "tracing/call_sites.h"
#include "tracing/live_objects.h"

namespace mmt::tracing {

// What a child of a fork has of its parent.
struct Inheritance {
  // They stand in the order of their birth. Forks with nothing in between share them.
  std::shared_ptr<const std::vector<LiveObject>> objects;
  CallSites sites;
  pid_t parent = 0;
  std::string program;
};

// What a thread has begun.
struct ThreadState {
  // A block on its way through realloc; they nest where a signal handler interrupts one.
  struct Moving {
    LiveObject from;        // its object is 0 where it was not known
    bool is_inner = false;  // reallocarray's own call of realloc: the outer one is told of
  };
  bool is_moving(std::uint64_t address) const {
    return !moving.empty() && moving.back().from.address == address;
  }
  // Handlers that never return leave theirs.
  static constexpr std::size_t kMostMoving = 1024;
  std::vector<Moving> moving;
  std::optional<std::uint32_t> number;  // in the file, from its first event on
  tracefile::Object last_born = 0;      // by it, until it does something else
};

class ProcessTrace {
 public:
  // Counts of records, by what they mean for addresses. The reader of the records does the rest.
  struct Counts {
    std::uint64_t unknown = 0;  // frees and resizes of blocks that were never seen
    std::uint64_t unfreed = 0;  // addresses given out anew that had not been freed
  };

  ProcessTrace(std::uint32_t number, pid_t process) : number_(number), process_(process) {}

  std::uint32_t number() const { return number_; }
  pid_t process() const { return process_; }
  // As it sees itself, which is known once it tells.
  void set_process(pid_t process) { process_ = process; }
  pid_t parent() const { return parent_; }
  const std::string& name() const { return name_; }
  void set_name(const std::string& name) { name_ = name; }
  CallSites& sites() { return sites_; }
  // It is called before its first event.
  void inherit(std::shared_ptr<const Inheritance> from) {
    parent_ = from->parent;
    inherited_ = std::move(from);
  }
  // Where it is not known from a fork.
  void set_parent(pid_t parent) {
    if (parent_ == 0) parent_ = parent;
  }
  std::shared_ptr<const Inheritance> bequeath(const std::string& program);

  // Or has failed to have one.
  bool has_file() const { return writer_ != nullptr || !failure_.empty(); }
  // Why no more of it is written: the file cannot be. What its children inherit is known all the
  // same. Empty: nothing has failed.
  const std::string& failure() const { return failure_; }
  // Ends the file here, for a reason of the caller's.
  void fail(const std::string& why);
  // Has to be called when there is none, before an event is applied.
  void open(const std::string& path, const tracefile::Header& header);
  const std::string& path() const { return path_; }
  const std::string& program() const { return program_; }

  // Whether a record of this kind makes an event, for which there has to be a file.
  static bool is_event(trace::RecordKind kind) {
    return kind >= trace::RecordKind::kAllocate && kind <= trace::RecordKind::kResizeEnd;
  }
  void apply(ThreadState& thread, const trace::Seen& record, std::uint64_t ns);
  void end_thread(ThreadState& thread, std::uint64_t ns);
  void prefetch(std::uint64_t address) const { live_.prefetch(address); }
  void finish();

  std::uint64_t events() const { return writer_ != nullptr ? writer_->events() : 0; }
  std::uint64_t objects() const { return writer_ != nullptr ? writer_->objects() : 0; }
  std::uint64_t bytes() const { return writer_ != nullptr ? writer_->bytes() : 0; }
  std::uint32_t threads() const { return threads_; }
  std::size_t live() const { return live_.size(); }
  // About what it takes here.
  std::size_t held_bytes() const;
  const Counts& counts() const { return counts_; }

 private:
  void write(const tracefile::Event& event, std::uint64_t ns = 0);
  void add(ThreadState& thread, tracefile::Event event, std::uint64_t ns);
  void allocate(ThreadState& thread, const LiveObject& block, bool zeroed, std::uint32_t site,
                std::uint64_t ns);
  void end_unfreed(ThreadState& thread, tracefile::Object object, std::uint64_t ns);
  void end_resize(ThreadState& thread, const trace::Seen& record, std::uint64_t address,
                  std::uint64_t ns);
  std::uint32_t site_of(const trace::Seen& record);

  std::uint32_t number_;
  pid_t process_;
  pid_t parent_ = 0;
  std::string name_;     // as the process calls itself
  std::string program_;  // its command line, where it was to be had
  std::string path_;
  std::shared_ptr<const Inheritance> inherited_;  // until the file begins
  CallSites sites_;
  LiveObjects live_;
  std::shared_ptr<const std::vector<LiveObject>> left_;  // by the last fork, until an event
  tracefile::Object newest_ = 0;
  std::uint32_t threads_ = 0;
  Counts counts_;
  std::unique_ptr<tracefile::Writer> writer_;
  std::string failure_;
};

}  // namespace mmt::tracing
