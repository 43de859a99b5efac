#include "pool/pool_state.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "trace/pool.h"

namespace mmt::fuzz {
namespace {

using trace::kChunkBytes;
using trace::RecordKind;

// Processes that live as long as this one, or that is it.
constexpr pid_t kGood = 1;
constexpr size_t kChunks = 256;
constexpr size_t kRecords = tracing::FakeProgram::kRecords;
// The bound is on the memory of all that is done here, pools included.
constexpr size_t kMostMemory = size_t{1} << 30;
constexpr uint64_t kMostAtOnce = 600;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

size_t resident_bytes() {
  unsigned long size = 0;
  unsigned long resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  require(file != nullptr && std::fscanf(file, "%lu %lu", &size, &resident) == 2, "statm");
  std::fclose(file);
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::string describe(const PoolOp& op) {
  constexpr std::array<const char*, static_cast<size_t>(PoolOpKind::kCount)> kNames{
      "record", "look",       "chunk",  "events", "word", "head",
      "bits",   "everything", "shrink", "anew",   "other"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

PoolState::PoolState() {
  char name[] = "/dev/shm/mmt-fuzz-XXXXXX";
  require(::mkdtemp(name) != nullptr, "a folder is made");
  folder_ = name;
  // So little may be pending that programs wait for one another's.
  const tracing::RecordingLimits limits{.pending_chunks = kChunks / 4};
  recording_ = std::make_unique<tracing::Recording>(folder_ + "/t.mtr", limits, true, false);
  good_ = std::make_unique<tracing::FakeProgram>(kChunks);
  recording_->take_pool(good_->announced(kGood));
  good_->allocate(1);
  apply({PoolOpKind::kAnew, 0, 0});
}

PoolState::~PoolState() {
  recording_ = nullptr;
  std::filesystem::remove_all(folder_);
}

uint64_t PoolState::any_word(const Op& op) {
  any_ = any_ * 6364136223846793005 + op.amount + 1442695040888963407;
  const uint64_t mixed = any_ ^ (any_ >> 29);
  constexpr std::array<uint64_t, 8> kEdges{
      0, 1, 16, 32, kChunkBytes, trace::kMostChunks, uint64_t{1} << 63, ~uint64_t{0}};
  return mixed % 3 == 0 ? kEdges[mixed / 3 % kEdges.size()] : mixed;
}

// Kinds and addresses that could be, as garbage is seen to be none at its first word.
void PoolState::leave_any(const Op& op) {
  if (hostile_chunk_ == 0) return;
  size_t place = op.which % kRecords;
  for (size_t left = op.amount % kRecords; left != 0 && place < kRecords; --left, ++place) {
    const uint64_t kind = any_word(op) % (static_cast<uint64_t>(RecordKind::kEnd) + 1);
    trace::Record& record = hostile_->record(hostile_chunk_, place);
    record.bytes = any_word(op);
    record.stamp = op.which % 4 == 0 ? any_word(op) : 0;
    record.site = any_word(op);
    record.what.store(kind << trace::kKindShift | (any_word(op) % 512) << 4 |
                      (op.which % 8 == 0 ? any_word(op) : 0));
  }
}

void PoolState::apply(const Op& op) {
  const auto words = kChunks * kChunkBytes / sizeof(uint64_t);
  const auto pick = [&](size_t count) { return (size_t{op.which} * 7919 + op.amount) % count; };
  switch (op.kind) {
    case PoolOpKind::kRecord:
      good_->allocate(1 + op.amount % kMostAtOnce);
      return;
    case PoolOpKind::kLook:
      recording_->look();
      return;
    case PoolOpKind::kChunk:
      hostile_chunk_ = hostile_->take_chunk(1 + op.which % 3);
      if (hostile_chunk_ == 0) return;
      if (op.amount % 4 == 0)
        hostile_->word(hostile_chunk_ * kChunkBytes / 8 + 1 + pick(3)) = any_word(op);
      // Sometimes one before it is missing, or it comes twice.
      hostile_sequence_ += op.amount % 16 == 0 ? op.which % 3 : 1;
      hostile_->head(hostile_chunk_).sequence.store(hostile_sequence_);
      return;
    case PoolOpKind::kEvents:
      return leave_any(op);
    case PoolOpKind::kWord:
      hostile_->word(pick(words)) = any_word(op);
      return;
    case PoolOpKind::kHead:
      hostile_->word(pick(kChunks) * kChunkBytes / 8 + op.which % 4) = any_word(op);
      return;
    case PoolOpKind::kBits:
      hostile_->word(offsetof(trace::Pool, free) / 8 + pick(kChunks / 64)) = any_word(op);
      return;
    case PoolOpKind::kEverything:
      if (op.amount % 8 != 0) return;
      for (size_t at = 0; at < words; ++at) hostile_->word(at) = any_word(op);
      return;
    case PoolOpKind::kShrink:
      require(::ftruncate(hostile_->file(), static_cast<off_t>(pick(kChunks))) != 0,
              "a seal holds");
      return;
    case PoolOpKind::kAnew:
      hostile_ = std::make_unique<tracing::FakeProgram>(kChunks);
      hostile_chunk_ = 0;
      hostile_sequence_ = 0;
      return recording_->take_pool(hostile_->announced(::getpid(), op.which % 2 != 0));
    case PoolOpKind::kOther:
      recording_->take_pool(
          {::open(op.which % 2 == 0 ? "/dev/zero" : "/", O_RDONLY | O_CLOEXEC), ::getpid(), false});
      return;
    case PoolOpKind::kCount:
      break;
  }
}

void PoolState::check_invariants() const {
  require(resident_bytes() < kMostMemory, "memory is bounded");
}

void PoolState::finish() {
  recording_->finish();
  check_invariants();
  const auto& whole = recording_->processes();
  const auto good = std::find_if(whole.begin(), whole.end(),
                                 [](const auto& one) { return one.process == kGood; });
  require(good != whole.end(), "the good program's trace is whole");
  // And the start of its thread.
  require(good->events == good_->allocated() + 1 && good->objects == good_->allocated(),
          "the good program's trace has all of its events");
}

}  // namespace mmt::fuzz
