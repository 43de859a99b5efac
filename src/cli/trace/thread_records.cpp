#include "cli/trace/thread_records.h"

#include <algorithm>

namespace mmt::cli {
namespace {

using trace::kRecordsAChunk;
using trace::Record;
using trace::record_of;
using trace::RecordKind;

// How deep signal handlers interrupt one another, as far as is looked in a chunk still in use.
constexpr std::size_t kNested = 8;

// Acquire, for the recorder's release.
std::uint64_t word_of(const Record& record) { return record.what.load(std::memory_order_acquire); }

}  // namespace

const Record* ThreadRecords::front(std::uint64_t& what) {
  while (true) {
    const auto first = chunks_.find(sequence_);
    if (first == chunks_.end()) return nullptr;
    const std::size_t chunk = first->second;
    if (place_ < kRecordsAChunk) {
      const Record* const record = record_of(pool_.base(), chunk, place_);
      what = word_of(*record);
      if (what != 0) return record;
      // Its thread goes to another chunk when this one is full, but for gaps.
      const bool is_left = chunks_.contains(sequence_ + 1);
      // What was written before it left can be seen now.
      if (is_left && (what = word_of(*record)) != 0) return record;
      if (find_behind_gaps(chunk, is_left)) continue;
      if (!is_left) return nullptr;
    }
    leave_chunk();
  }
}

// Moves to the next record that is there, if it is for sure that those between were left empty.
bool ThreadRecords::find_behind_gaps(std::size_t chunk, bool is_left) {
  const std::size_t end = is_left ? kRecordsAChunk : std::min(kRecordsAChunk, place_ + kNested);
  std::size_t there = place_ + 1;
  while (there < end && word_of(*record_of(pool_.base(), chunk, there)) == 0) ++there;
  if (there >= end) {
    if (!is_left) return false;
    there = kRecordsAChunk;
  }
  // One that was claimed in order may have been written meanwhile.
  if (word_of(*record_of(pool_.base(), chunk, place_)) != 0) return true;
  // A chunk that is left was filled, or never used: a handler had brought another one first.
  const bool is_unused = place_ == 0 && there == kRecordsAChunk;
  for (; place_ < there && !is_unused; ++place_) gaps_.push_back({chunk, place_});
  place_ = there;
  return there != kRecordsAChunk;
}

void ThreadRecords::leave_chunk() {
  const std::size_t chunk = chunks_[sequence_];
  const bool has_gap =
      std::any_of(gaps_.begin(), gaps_.end(), [&](const Gap& one) { return one.chunk == chunk; });
  if (has_gap) {
    kept_.push_back(chunk);
  } else {
    pool_.give(chunk);
  }
  chunks_.erase(sequence_++);
  place_ = 0;
}

const Record* ThreadRecords::ahead(std::size_t records) const {
  const auto first = chunks_.find(sequence_);
  if (first == chunks_.end() || place_ + records >= kRecordsAChunk) return nullptr;
  return record_of(pool_.base(), first->second, place_ + records);
}

const Record* ThreadRecords::filled_late(std::uint64_t& what) {
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const Record* const record = record_of(pool_.base(), gaps_[i].chunk, gaps_[i].place);
    what = word_of(*record);
    if (what == 0) continue;
    gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(i));
    return record;
  }
  return nullptr;
}

void ThreadRecords::forget_gaps() {
  for (const std::size_t chunk : kept_) pool_.give(chunk);
  std::erase_if(gaps_, [&](const Gap& gap) {
    return std::find(kept_.begin(), kept_.end(), gap.chunk) != kept_.end();
  });
  kept_.clear();
}

std::uint64_t ThreadRecords::stamp_of(const Record& record, std::uint64_t what) {
  const RecordKind kind = Record::kind_of(what);
  const bool is_stamped = ProcessTrace::is_event(kind) || kind == RecordKind::kFork;
  if (is_stamped) last_stamp = std::max(last_stamp, record.stamp);
  return last_stamp;
}

bool ThreadRecords::is_missing_chunk() const {
  return !chunks_.empty() && chunks_.begin()->first != sequence_;
}

void ThreadRecords::skip_missing_chunk() {
  sequence_ = chunks_.begin()->first;
  place_ = 0;
}

void ThreadRecords::give_all() {
  for (const auto& [sequence, chunk] : chunks_) pool_.give(chunk);
  chunks_.clear();
  for (const std::size_t chunk : kept_) pool_.give(chunk);
  kept_.clear();
  gaps_.clear();
}

}  // namespace mmt::cli
