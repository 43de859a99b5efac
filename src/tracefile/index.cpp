#include "tracefile/index.h"

#include "tracefile/block.h"

namespace mmt::tracefile {

bool Index::is_next(const FrameSummary& summary) const {
  return summary.events != 0 && summary.events <= kFrameEvents &&
         summary.births <= summary.events && summary.first_event == events() &&
         summary.newest_before == objects();
}

std::vector<uint8_t> Index::content() const {
  std::vector<uint8_t> bytes;
  append_varint(bytes, frames.size());
  for (const Frame& one : frames) {
    append_varint(bytes, one.place);
    append_summary(bytes, one.summary);
  }
  append_varint(bytes, sites.size());
  for (const uint64_t place : sites) append_varint(bytes, place);
  return bytes;
}

bool Index::from(const std::vector<uint8_t>& content, uint64_t end, Index& index) {
  VarintReader from(content.data(), content.size());
  index = {};
  index.end = end;
  const auto is_place = [&](uint64_t place) {
    return place >= kPreambleBytes && place <= end - kBlockHeadBytes;
  };
  for (uint64_t left = from.take(); left != 0 && from.is_whole(); --left) {
    Frame frame;
    frame.place = from.take();
    frame.summary = take_summary(from);
    const bool is_behind = index.frames.empty() || frame.place > index.frames.back().place;
    if (!is_place(frame.place) || !is_behind || !index.is_next(frame.summary)) return false;
    index.frames.push_back(frame);
  }
  for (uint64_t left = from.take(); left != 0 && from.is_whole(); --left) {
    index.sites.push_back(from.take());
    if (!is_place(index.sites.back())) return false;
  }
  return from.is_whole() && from.left() == 0;
}

}  // namespace mmt::tracefile
