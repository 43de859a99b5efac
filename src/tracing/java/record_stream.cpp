#include "tracing/java/record_stream.h"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace mmt::tracing {
namespace {

// They are numbered without gaps.
constexpr std::uint32_t kMostThreads = 1 << 22;

}  // namespace

void RecordStream::add(const char* bytes, size_t count) {
  if (!fault_.empty()) return;
  pending_.insert(pending_.end(), bytes, bytes + count);
  while (fault_.empty() && take_batch()) {
  }
}

bool RecordStream::take_batch() {
  java::BatchHead head;
  if (pending_.size() < sizeof head) return false;
  std::memcpy(&head, pending_.data(), sizeof head);
  if (head.magic != java::kMagic || head.records > java::kBatch) {
    fault_ = "the agent in the Java machine wrote something else than records";
    return false;
  }
  const size_t size = sizeof head + head.records * sizeof(java::Record);
  if (pending_.size() < size) return false;
  if (process_ == 0) process_ = head.process;
  if (process_ != head.process) {
    foreign_ += head.records;
  } else {
    for (size_t number = 0; number < head.records && fault_.empty(); ++number) {
      java::Record record;
      std::memcpy(&record, pending_.data() + sizeof head + number * sizeof record, sizeof record);
      take(record);
    }
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(size));
  return true;
}

void RecordStream::take(const java::Record& record) {
  tracefile::Event event;
  event.thread = record.thread;
  event.object = record.number;
  if (record.thread >= kMostThreads) {
    fault_ = fmt::format("process {} told of thread {}", process_, record.thread);
    return;
  }
  switch (record.kind) {
    case java::RecordKind::kAllocate:
      if (record.number != ++allocations_) {
        fault_ =
            fmt::format("object {} came where object {} was to come", record.number, allocations_);
        return;
      }
      event.kind = tracefile::Kind::kAllocate;
      event.bytes = record.bytes;
      event.zeroed = true;
      break;
    case java::RecordKind::kFree:
      if (record.number == 0 || record.number > allocations_) {
        fault_ =
            fmt::format("process {} freed object {} of {}", process_, record.number, allocations_);
        return;
      }
      ++frees_;
      event.kind = tracefile::Kind::kFree;
      break;
    case java::RecordKind::kThreadStart:
      event.kind = tracefile::Kind::kThreadStart;
      break;
    case java::RecordKind::kThreadEnd:
      event.kind = tracefile::Kind::kThreadEnd;
      break;
    case java::RecordKind::kCollection:
      ++collections_;
      event = {.kind = tracefile::Kind::kPhase, .thread = record.thread, .bytes = record.number};
      break;
    case java::RecordKind::kEnd:
      is_whole_ = true;
      return;
    default:
      fault_ = fmt::format("there is no record of kind {}", static_cast<uint32_t>(record.kind));
      return;
  }
  take_(event);
}

}  // namespace mmt::tracing
