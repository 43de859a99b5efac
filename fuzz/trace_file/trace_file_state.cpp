#include "trace_file/trace_file_state.h"

#include <algorithm>
#include <array>
#include <memory>
#include <random>

#include "sim/bounds/bounds.h"
#include "sim/metrics/touches.h"
#include "sim/models/factory.h"
#include "sim/replay/replay.h"
#include "sim/replay/sampler.h"
#include "sim/replay/trace_file.h"
#include "tracefile/packing.h"
#include "tracefile/reader.h"
#include "tracefile/varint.h"

namespace mmt::fuzz {
namespace {

using tracefile::BlockHead;
using tracefile::BlockKind;
using tracefile::Event;
using tracefile::Kind;

constexpr size_t kMostBlocks = 24;
constexpr uint32_t kLongestSites = 1 << 24;

// The number is one that readers must not take for a size.
uint64_t some_number(uint32_t amount) {
  constexpr std::array<uint64_t, 8> kNumbers{0,
                                             1,
                                             uint64_t{1} << 16,
                                             (uint64_t{1} << 32) - 1,
                                             uint64_t{1} << 40,
                                             uint64_t{1} << 47,
                                             UINT64_MAX / 2,
                                             UINT64_MAX};
  return kNumbers[amount % kNumbers.size()];
}

void append_fixed(std::string& to, uint64_t value, size_t bytes) {
  uint8_t fixed[8];
  tracefile::put_fixed(fixed, value, bytes);
  to.append(reinterpret_cast<const char*>(fixed), bytes);
}

}  // namespace

std::string describe(const TraceFileOp& op) {
  constexpr std::array<const char*, static_cast<size_t>(TraceFileOpKind::kCount)> kNames{
      "frame",  "births", "sites", "many_sites", "foreign", "byte",
      "number", "index",  "cut",   "sum",        "read",    "replay"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

TraceFileState::TraceFileState() {
  std::vector<uint8_t> header;
  for (const char* const text : {"a program", "a fuzzer"}) {
    const std::string_view view(text);
    tracefile::append_varint(header, view.size());
    header.insert(header.end(), view.begin(), view.end());
  }
  tracefile::append_varint(header, 17);
  tracefile::append_varint(header, 42);
  blocks_.push_back({BlockKind::kHeader, header});
}

void TraceFileState::apply(const Op& op) {
  using OpKind = TraceFileOpKind;
  const bool adds = op.kind <= OpKind::kForeign || op.kind == OpKind::kIndex;
  if (adds && blocks_.size() >= kMostBlocks) return;
  switch (op.kind) {
    case OpKind::kFrame:
      return add_frame(op);
    case OpKind::kBirths:
      return add_births(op);
    case OpKind::kSites:
      return add_sites(op.amount % 100, std::string(op.which % 60, 'f'));
    case OpKind::kManySites:
      return add_sites(op.amount % kLongestSites, "");
    case OpKind::kForeign:
      return add_foreign(op);
    case OpKind::kByte:
      return change(op, false);
    case OpKind::kNumber:
      return change(op, true);
    case OpKind::kIndex:
      return add_index();
    case OpKind::kCut:
      cut_ = op.amount % 3000;
      return;
    case OpKind::kSum:
      wrong_sum_ = op.which % 2 == 0 ? SIZE_MAX : op.amount % blocks_.size();
      return;
    case OpKind::kRead:
      return read(op);
    case OpKind::kReplay:
      return replay(op);
    case OpKind::kCount:
      return;
  }
}

void TraceFileState::add_frame(const Op& op) {
  std::mt19937 random(op.which);
  for (uint32_t left = 1 + op.amount % 3000; left != 0; --left) {
    Event event;
    const auto some = [&](uint64_t below) { return static_cast<uint32_t>(random() % below); };
    event.thread = some(3);
    event.site = some(4) == 0 ? some(uint64_t{sites_} + 2) : 0;
    if (some(2000) == 0) event.site = static_cast<uint32_t>(some_number(some(8)));
    const uint32_t dice = some(100);
    if (live_.empty() || dice < 55) {
      event.object = ++newest_;
      event.bytes = some(200) == 0 ? some_number(some(8)) : some(9000);
      event.alignment = static_cast<uint8_t>(random() % 50 == 0 ? random() % 64 : 0);
      live_.push_back(newest_);
    } else {
      const size_t at = random() % live_.size();
      event.kind = dice < 90 ? Kind::kFree : Kind::kResize;
      event.object = live_[at];
      if (event.kind == Kind::kResize) {
        event.bytes = some(100) == 0 ? some_number(some(8)) : some(9000);
      } else {
        live_[at] = live_.back();
        live_.pop_back();
      }
    }
    frame_.add(event, left);
  }
  blocks_.push_back({BlockKind::kEvents, frame_.take()});
}

void TraceFileState::add_births(const Op& op) {
  while (!frame_.is_full()) {
    Event event;
    event.object = ++newest_;
    event.bytes = op.amount % 10000;
    event.site = op.which % 8 == 0 ? 1 : 0;
    frame_.add(event, 1);
  }
  blocks_.push_back({BlockKind::kEvents, frame_.take()});
}

void TraceFileState::add_sites(uint32_t count, const std::string& text) {
  std::vector<uint8_t> content;
  tracefile::append_varint(content, sites_ + 1);
  tracefile::append_varint(content, count);
  std::vector<uint8_t> texts;
  for (uint32_t i = 0; i < count; ++i) {
    tracefile::append_varint(texts, text.size());
    texts.insert(texts.end(), text.begin(), text.end());
  }
  tracefile::Packer().append(content, texts.data(), texts.size());
  sites_ += count;
  blocks_.push_back({BlockKind::kSites, content});
}

void TraceFileState::add_foreign(const Op& op) {
  std::mt19937 random(op.which);
  std::vector<uint8_t> content(op.amount % 300);
  for (uint8_t& one : content) one = static_cast<uint8_t>(random());
  blocks_.push_back({static_cast<BlockKind>(1 + op.amount % 6), content});
}

void TraceFileState::add_index() {
  tracefile::Index index;
  uint64_t place = tracefile::kPreambleBytes;
  for (const Block& one : blocks_) {
    if (one.kind == BlockKind::kSites) index.sites.push_back(place);
    if (one.kind == BlockKind::kEvents) {
      tracefile::VarintReader from(one.content.data(), one.content.size());
      index.frames.push_back({place, tracefile::take_summary(from)});
    }
    place += tracefile::kBlockHeadBytes + one.content.size();
  }
  blocks_.push_back({BlockKind::kIndex, index.content()});
}

void TraceFileState::change(const Op& op, bool is_number) {
  std::vector<uint8_t>& content = blocks_[op.which % blocks_.size()].content;
  if (content.empty()) return;
  const size_t at = op.amount % std::min<size_t>(content.size(), 4096);
  if (!is_number) {
    content[at] = static_cast<uint8_t>(content[at] ^ (1 + op.amount / 4096 % 255));
    return;
  }
  std::vector<uint8_t> number;
  tracefile::append_varint(number, some_number(op.amount / 4096));
  content.erase(content.begin() + static_cast<std::ptrdiff_t>(at));
  content.insert(content.begin() + static_cast<std::ptrdiff_t>(at), number.begin(), number.end());
}

std::string TraceFileState::bytes() const {
  std::string all(tracefile::kMagic);
  append_fixed(all, tracefile::kVersion, 4);
  uint64_t last = 0;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    BlockHead head = BlockHead::of(blocks_[i].kind, blocks_[i].content);
    if (i == wrong_sum_) head.crc ^= 1;
    const auto bytes = head.bytes();
    last = all.size();
    all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    all.append(blocks_[i].content.begin(), blocks_[i].content.end());
  }
  if (blocks_.back().kind == BlockKind::kIndex) {
    append_fixed(all, last, 8);
    all += tracefile::kTrailMagic;
  }
  all.erase(all.size() - std::min<size_t>(cut_, all.size()));
  return all;
}

void TraceFileState::read(const Op& op) const {
  file_.put(bytes());
  read_bounded([&] {
    tracefile::Reader reader(file_.path());
    for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
      for (size_t i = 0; i < frame.size(); i += 1 + op.amount % 500) reader.site(frame[i].site);
    }
    reader.seek(op.which);
    reader.next();
  });
}

void TraceFileState::replay(const Op& op) const {
  constexpr std::array<const char*, 6> kModels{"sbt-ff", "sqf-bfwc:paper", "tlsf",
                                               "buddy",  "abt-ff:paper",   "sss"};
  file_.put(bytes());
  read_bounded([&] {
    const auto source = sim::open_trace(file_.path());
    const auto model = sim::make_model(sim::parse_spec(kModels[op.which % kModels.size()]));
    sim::Replay replay(*model);
    sim::Sampler sampler(replay, 16, 64, source->count().value_or(0));
    replay.add_watcher(&sampler);
    sim::Touches touches(op.amount % 2 == 0 ? sim::Touches::Kind::kOfEachOperation
                                            : sim::Touches::Kind::kPagesEver);
    if (op.amount % 3 != 0) replay.count_touches(&touches);
    sim::ObjectRows rows;
    std::vector<sim::RowEvent> events;
    uint64_t read = 0;
    for (auto part = source->next(); !part.empty(); part = source->next()) {
      rows.translate(part, events);
      replay.run(events);
      read += part.size();
    }
    sampler.finish();
    if (read < 2000) sim::find_bounds(*source, 16);
  });
}

void TraceFileState::finish() {
  read({});
  replay({TraceFileOpKind::kReplay, static_cast<uint32_t>(blocks_.size()), sites_});
}

}  // namespace mmt::fuzz
