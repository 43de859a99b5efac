#include "cli/trace/thread_records.h"

#include <algorithm>

namespace mmt::cli {
namespace {

using trace::Record;
using trace::RecordKind;
using trace::Seen;

// How deep signal handlers interrupt one another, as far as is looked in a chunk still in use.
constexpr std::size_t kNested = 8;

// Acquire, for the recorder's release.
std::uint64_t word_of(const Record& record) { return record.what.load(std::memory_order_acquire); }

std::size_t record_bytes_of(char* base, std::size_t chunk) {
  return trace::head_of(base, chunk)->record_bytes;
}

}  // namespace

bool ThreadRecords::find_chunk() {
  if (current_.chunk != 0) return true;
  const auto first = chunks_.find(sequence_);
  if (first == chunks_.end()) return false;
  current_.chunk = first->second;
  current_.start = pool_.base() + current_.chunk * trace::kChunkBytes + sizeof(trace::ChunkHead);
  current_.record_bytes = record_bytes_of(pool_.base(), current_.chunk);
  current_.records = (trace::kChunkBytes - sizeof(trace::ChunkHead)) / current_.record_bytes;
  return true;
}

Record* ThreadRecords::record_at(std::size_t chunk, std::size_t place) const {
  char* const start = pool_.base() + chunk * trace::kChunkBytes + sizeof(trace::ChunkHead);
  return reinterpret_cast<Record*>(start + place * record_bytes_of(pool_.base(), chunk));
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
  const auto is_there = [&](std::size_t place) {
    return word_of(*record_at(current_.chunk, place)) != 0;
  };
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
  for (; place_ < there && !is_unused; ++place_) gaps_.push_back({current_.chunk, place_});
  place_ = there;
  return there != records;
}

void ThreadRecords::leave_chunk() {
  const std::size_t chunk = current_.chunk;
  const bool has_gap =
      std::any_of(gaps_.begin(), gaps_.end(), [&](const Gap& one) { return one.chunk == chunk; });
  if (has_gap) {
    kept_.push_back(chunk);
  } else {
    pool_.give(chunk);
  }
  chunks_.erase(sequence_++);
  current_ = {};
  place_ = 0;
}

bool ThreadRecords::filled_late(Seen& late) {
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const Record* const record = record_at(gaps_[i].chunk, gaps_[i].place);
    const std::uint64_t what = word_of(*record);
    if (what == 0) continue;
    late = seen(*record, what, record_bytes_of(pool_.base(), gaps_[i].chunk));
    gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(i));
    if (late.kind() == RecordKind::kEnd) return filled_late(late);
    return true;
  }
  return false;
}

void ThreadRecords::forget_gaps() {
  for (const std::size_t chunk : kept_) pool_.give(chunk);
  std::erase_if(gaps_, [&](const Gap& gap) {
    return std::find(kept_.begin(), kept_.end(), gap.chunk) != kept_.end();
  });
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
  for (const auto& [sequence, chunk] : chunks_) pool_.give(chunk);
  chunks_.clear();
  current_ = {};
  for (const std::size_t chunk : kept_) pool_.give(chunk);
  kept_.clear();
  gaps_.clear();
}

}  // namespace mmt::cli
