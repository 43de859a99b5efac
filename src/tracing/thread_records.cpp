#include "tracing/thread_records.h"

#include <algorithm>

#include <fmt/format.h>

namespace mmt::tracing {
namespace {

using trace::Record;
using trace::RecordKind;
using trace::Seen;

// How deep signal handlers interrupt one another, as far as is looked in a chunk still in use.
constexpr std::size_t kNested = 8;

// Acquire, for the recorder's release.
std::uint64_t word_of(const Record& record) { return record.what.load(std::memory_order_acquire); }

}  // namespace

void ThreadRecords::add_chunk(std::uint64_t sequence, std::size_t chunk, std::size_t record_bytes) {
  if (chunks_.try_emplace(sequence, Chunk{chunk, record_bytes}).second) return;
  throw PoolFault(fmt::format("two chunks of thread {} in one place", number_));
}

bool ThreadRecords::find_chunk() {
  if (current_.chunk != 0) return true;
  const auto first = chunks_.find(sequence_);
  if (first == chunks_.end()) return false;
  current_.chunk = first->second.chunk;
  current_.start = pool_.base() + current_.chunk * trace::kChunkBytes + sizeof(trace::ChunkHead);
  current_.record_bytes = first->second.record_bytes;
  current_.records = (trace::kChunkBytes - sizeof(trace::ChunkHead)) / current_.record_bytes;
  return true;
}

const Record* ThreadRecords::record_at(const Chunk& in, std::size_t place) const {
  const char* const start = pool_.base() + in.chunk * trace::kChunkBytes + sizeof(trace::ChunkHead);
  return reinterpret_cast<const Record*>(start + place * in.record_bytes);
}

bool ThreadRecords::find_front(Seen& next) {
  while (find_chunk()) {
    if (place_ < current_.records) {
      const Record* const record = &current_record(place_);
      std::uint64_t what = word_of(*record);
      // Its thread goes to another chunk when this one is full, but for gaps.
      const bool is_left = what == 0 && chunks_.contains(sequence_ + 1);
      // What was written before it left can be seen now.
      if (is_left) what = word_of(*record);
      if (what == 0) {
        if (find_behind_gaps(is_left)) continue;
        if (!is_left) return false;
      } else if (Record::kind_of(what) != RecordKind::kEnd) {
        next = seen(*record, what, current_.record_bytes);
        return true;
      }
    }
    leave_chunk();
  }
  return false;
}

// Moves to the next record that is there, if it is for sure that those between were left empty.
bool ThreadRecords::find_behind_gaps(bool is_left) {
  const std::size_t records = current_.records;
  const Chunk current{current_.chunk, current_.record_bytes};
  const auto is_there = [&](std::size_t place) { return word_of(*record_at(current, place)) != 0; };
  const std::size_t end = is_left ? records : std::min(records, place_ + kNested);
  std::size_t there = place_ + 1;
  while (there < end && !is_there(there)) ++there;
  if (there >= end) {
    if (!is_left) return false;
    there = records;
  }
  // One that was claimed in order may have been written meanwhile.
  if (is_there(place_)) return true;
  // A chunk that is left was filled, or never used: a handler had brought another one first.
  const bool is_unused = place_ == 0 && there == records;
  for (; place_ < there && !is_unused; ++place_) gaps_.push_back({current, place_});
  place_ = there;
  return there != records;
}

void ThreadRecords::leave_chunk() {
  const std::size_t chunk = current_.chunk;
  const bool has_gap = std::any_of(gaps_.begin(), gaps_.end(),
                                   [&](const Gap& one) { return one.in.chunk == chunk; });
  if (has_gap) {
    kept_.push_back(chunk);
  } else {
    pool_.give(chunk);
  }
  chunks_.erase(sequence_++);
  current_ = {};
  place_ = 0;
  if (gaps_.size() > kMostGaps) forget_gaps();
}

std::vector<Seen> ThreadRecords::filled_late() {
  std::vector<Seen> late;
  std::erase_if(gaps_, [&](const Gap& gap) {
    const Record* const record = record_at(gap.in, gap.place);
    const std::uint64_t what = word_of(*record);
    if (what == 0) return false;
    if (Record::kind_of(what) != RecordKind::kEnd) {
      late.push_back(seen(*record, what, gap.in.record_bytes));
    }
    return true;
  });
  return late;
}

void ThreadRecords::forget_gaps() {
  for (const std::size_t chunk : kept_) pool_.give(chunk);
  std::erase_if(gaps_, [&](const Gap& gap) { return gap.in.chunk != current_.chunk; });
  kept_.clear();
}

bool ThreadRecords::is_missing_chunk() const {
  return !chunks_.empty() && chunks_.begin()->first != sequence_;
}

void ThreadRecords::skip_missing_chunk() {
  sequence_ = chunks_.begin()->first;
  current_ = {};
  place_ = 0;
}

void ThreadRecords::give_all() {
  for (const auto& [sequence, chunk] : chunks_) pool_.give(chunk.chunk);
  chunks_.clear();
  current_ = {};
  for (const std::size_t chunk : kept_) pool_.give(chunk);
  kept_.clear();
  gaps_.clear();
}

}  // namespace mmt::tracing
