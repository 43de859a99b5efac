#include "tracefile/frame.h"

namespace mmt::tracefile {
namespace {

// A byte of the kinds' column: the kind, and which other columns have something for this event.
constexpr uint8_t kKindMask = 0x07;
constexpr uint8_t kZeroed = 0x08;
constexpr uint8_t kAligned = 0x10;
constexpr uint8_t kHasSite = 0x20;
constexpr uint8_t kKnownBits = kKindMask | kZeroed | kAligned | kHasSite;
constexpr uint8_t kLastKind = static_cast<uint8_t>(Kind::kPhase);

constexpr bool has_bytes(Kind kind) {
  return kind == Kind::kAllocate || kind == Kind::kResize || kind == Kind::kPhase;
}
constexpr bool names_object(Kind kind) { return kind == Kind::kFree || kind == Kind::kResize; }

}  // namespace

void append_summary(std::vector<uint8_t>& to, const FrameSummary& summary) {
  append_varint(to, summary.events);
  append_varint(to, summary.first_event);
  append_varint(to, summary.newest_before);
  append_varint(to, summary.births);
  append_varint(to, summary.start_ns);
  append_varint(to, summary.end_ns);
}

FrameSummary take_summary(VarintReader& from) {
  FrameSummary summary;
  summary.events = from.take();
  summary.first_event = from.take();
  summary.newest_before = from.take();
  summary.births = from.take();
  summary.start_ns = from.take();
  summary.end_ns = from.take();
  return summary;
}

FrameEncoder::FrameEncoder() = default;

void FrameEncoder::end_run() {
  if (run_length_ == 0) return;
  threads_.put(run_thread_);
  threads_.put(run_length_);
  run_length_ = 0;
}

void FrameEncoder::add(const Event& event, uint64_t ns) {
  if (summary_.events == 0) summary_.start_ns = ns;
  summary_.end_ns = ns;
  ++summary_.events;
  if (event.thread != run_thread_) end_run();
  run_thread_ = event.thread;
  ++run_length_;
  auto kind = static_cast<uint8_t>(event.kind);
  if (event.zeroed) kind |= kZeroed;
  if (event.alignment != 0) kind |= kAligned;
  if (event.site != 0) kind |= kHasSite;
  kinds_.put_byte(kind);
  if (event.kind == Kind::kAllocate) ++summary_.births;
  if (has_bytes(event.kind)) bytes_.put(event.bytes);
  if (names_object(event.kind)) {
    distances_.put(summary_.newest_before + summary_.births - event.object);
  }
  if (event.alignment != 0) alignments_.put_byte(event.alignment);
  if (event.site != 0) sites_.put(event.site);
}

std::vector<uint8_t> FrameEncoder::take() {
  end_run();
  std::vector<uint8_t> content;
  append_summary(content, summary_);
  for (Column* one : {&kinds_, &threads_, &bytes_, &distances_, &alignments_, &sites_}) {
    one->pack(packer_, content);
  }
  summary_.first_event += summary_.events;
  summary_.newest_before += summary_.births;
  summary_.events = summary_.births = 0;
  return content;
}

const char* FrameDecoder::decode(const std::vector<uint8_t>& content, FrameSummary& summary,
                                 std::vector<Event>& events) {
  VarintReader from(content.data(), content.size());
  summary = take_summary(from);
  if (!from.is_whole()) return "its summary is cut off";
  if (summary.events == 0 || summary.events > kFrameEvents) return "its number of events is wrong";
  if (!unpacker_.take(from, kFrameEvents, kinds_)) return "its kinds cannot be unpacked";
  if (!unpacker_.take(from, kFrameEvents * 2 * kLongestVarint, threads_)) {
    return "its threads cannot be unpacked";
  }
  if (!unpacker_.take(from, kFrameEvents * kLongestVarint, bytes_)) {
    return "its sizes cannot be unpacked";
  }
  if (!unpacker_.take(from, kFrameEvents * kLongestVarint, distances_)) {
    return "its objects cannot be unpacked";
  }
  if (!unpacker_.take(from, kFrameEvents, alignments_)) return "its alignments cannot be unpacked";
  if (!unpacker_.take(from, kFrameEvents * kLongestVarint, sites_)) {
    return "its call sites cannot be unpacked";
  }
  if (from.left() != 0) return "it is longer than its columns";
  return decode_columns(summary, events);
}

const char* FrameDecoder::decode_columns(const FrameSummary& summary, std::vector<Event>& events) {
  if (kinds_.size() != summary.events) return "its number of events is wrong";
  VarintReader threads(threads_.data(), threads_.size());
  VarintReader bytes(bytes_.data(), bytes_.size());
  VarintReader distances(distances_.data(), distances_.size());
  VarintReader sites(sites_.data(), sites_.size());
  size_t aligned = 0;
  uint64_t left_in_run = 0;
  uint32_t thread = 0;
  Object newest = summary.newest_before;
  events.resize(summary.events);
  for (size_t i = 0; i < events.size(); ++i) {
    const uint8_t kind = kinds_[i];
    if ((kind & ~kKnownBits) != 0 || (kind & kKindMask) > kLastKind) return "an unknown event";
    Event event;
    event.kind = static_cast<Kind>(kind & kKindMask);
    event.zeroed = (kind & kZeroed) != 0;
    if (left_in_run == 0) {
      const uint64_t number = threads.take();
      left_in_run = threads.take();
      if (left_in_run == 0 || number > UINT32_MAX) return "a wrong run of a thread";
      thread = static_cast<uint32_t>(number);
    }
    --left_in_run;
    event.thread = thread;
    if (has_bytes(event.kind)) event.bytes = bytes.take();
    if (event.kind == Kind::kAllocate) event.object = ++newest;
    if (names_object(event.kind)) {
      const uint64_t distance = distances.take();
      if (distance >= newest) return "an object that was never born";
      event.object = newest - distance;
    }
    if ((kind & kAligned) != 0) {
      if (aligned == alignments_.size()) return "too few alignments";
      event.alignment = alignments_[aligned++];
      if (event.alignment == 0 || event.alignment > 63) return "an alignment that is none";
    }
    if ((kind & kHasSite) != 0) {
      const uint64_t site = sites.take();
      if (site == 0 || site > UINT32_MAX) return "a wrong number of a call site";
      event.site = static_cast<uint32_t>(site);
    }
    events[i] = event;
  }
  const bool is_whole =
      threads.is_whole() && bytes.is_whole() && distances.is_whole() && sites.is_whole();
  if (!is_whole) return "a column that is too short";
  if (newest - summary.newest_before != summary.births) return "its number of births is wrong";
  const size_t left = threads.left() + bytes.left() + distances.left() + sites.left() +
                      (alignments_.size() - aligned) + left_in_run;
  return left == 0 ? nullptr : "a column that is too long";
}

}  // namespace mmt::tracefile
