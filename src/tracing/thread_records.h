// The records of one thread, in its order, from the chunks that it has filled.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "trace/pool.h"
#include "tracing/pool_file.h"
#include "tracing/process_trace.h"

namespace mmt::tracing {

class ThreadRecords {
 public:
  // `sequence`: of the first chunk.
  ThreadRecords(PoolFile& pool, std::uint32_t number, std::uint32_t thread_id,
                std::uint64_t sequence = 1)
      : pool_(pool), number_(number), thread_id_(thread_id), sequence_(sequence) {}

  std::uint32_t number() const { return number_; }  // in the pool
  ThreadState& state() { return state_; }
  std::uint32_t thread_id() const { return thread_id_; }

  // A chunk whose head says that it is this thread's, and how long its records are, which the pool
  // is not asked again. Throws a PoolFault where there is one of that place already.
  void add_chunk(std::uint64_t sequence, std::size_t chunk, std::size_t record_bytes);

  // The next record that is there; false: none.
  bool front(trace::Seen& record) {
    if (place_ < current_.records) {
      // Acquire, for the recorder's release.
      const trace::Record& next = current_record(place_);
      const std::uint64_t what = next.what.load(std::memory_order_acquire);
      if (what != 0 && trace::Record::kind_of(what) != trace::RecordKind::kEnd) {
        record = seen(next, what, current_.record_bytes);
        return true;
      }
    }
    return find_front(record);
  }
  void pop() { ++place_; }
  // The address in the record that is so many behind it, if it is there and in the same chunk.
  std::uint64_t address_ahead(std::size_t records) const {
    if (place_ + records >= current_.records) return 0;
    const trace::Record& there = current_record(place_ + records);
    return trace::Record::address_of(there.what.load(std::memory_order_relaxed));
  }

  // Places that were left empty by a thread that a signal handler interrupted there, and that are
  // filled now, as the handler has returned. Given once.
  std::vector<trace::Seen> filled_late();
  // About what it takes here.
  std::size_t held_bytes() const {
    constexpr std::size_t kBytesANode = 64;
    return sizeof *this + chunks_.size() * kBytesANode + gaps_.capacity() * sizeof(Gap) +
           state_.moving.capacity() * sizeof(ThreadState::Moving);
  }
  bool has_gaps() const { return !gaps_.empty(); }
  // Handlers that never return leave gaps for good. Chunks with gaps are given back.
  void forget_gaps();

  // Merging: stamps go up.
  std::uint64_t stamp_of(const trace::Seen& record) {
    const bool is_stamped =
        ProcessTrace::is_event(record.kind()) || record.kind() == trace::RecordKind::kFork;
    if (is_stamped) last_stamp = std::max(last_stamp, record.stamp);
    return last_stamp;
  }
  std::uint64_t last_stamp = 0;

  // Takes the next chunk though one before it is missing: its thread left before it was there.
  void skip_missing_chunk();
  bool is_missing_chunk() const;

  bool is_ending = false;       // it has said so
  std::uint64_t ending_ns = 0;  // when that was read
  // The thread is gone: its last chunk is given back.
  void give_all();
  bool is_empty() const { return chunks_.empty(); }
  std::uint64_t sequence() const { return sequence_; }  // of the chunk that is read, or awaited

 private:
  // Handlers that never return may be many.
  static constexpr std::size_t kMostGaps = 1 << 14;

  struct Chunk {
    std::size_t chunk = 0;
    std::size_t record_bytes = 0;
  };
  struct Gap {
    Chunk in;
    std::size_t place;
  };

  // The state of the chunk that is read.
  struct Current {
    std::size_t chunk = 0;        // 0: none
    const char* start = nullptr;  // of its records
    std::size_t record_bytes = 0;
    std::size_t records = 0;
  };

  const trace::Record& current_record(std::size_t place) const {
    return *reinterpret_cast<const trace::Record*>(current_.start + place * current_.record_bytes);
  }
  // Each word once: what is checked later is what is used.
  static trace::Seen seen(const trace::Record& record, std::uint64_t what, std::size_t bytes) {
    const auto once = [](const std::uint64_t& word) {
      return __atomic_load_n(&word, __ATOMIC_RELAXED);
    };
    if (bytes == trace::kShortRecord) return {what, once(record.bytes)};
    return {what, once(record.bytes), once(record.stamp), once(record.site)};
  }
  bool find_chunk();
  bool find_front(trace::Seen& next);
  const trace::Record* record_at(const Chunk& in, std::size_t place) const;
  bool find_behind_gaps(bool is_left);
  void leave_chunk();

  PoolFile& pool_;
  ThreadState state_;
  std::uint32_t number_;
  std::uint32_t thread_id_;
  std::map<std::uint64_t, Chunk> chunks_;  // by sequence; the first is being read
  std::uint64_t sequence_;
  Current current_;
  std::size_t place_ = 0;  // in it
  std::vector<Gap> gaps_;
  std::vector<std::size_t> kept_;  // chunks that were read but for their gaps
};

}  // namespace mmt::tracing
