#include "tracefile/reader.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "tracefile/block_reader.h"
#include "tracefile/frame.h"
#include "tracefile/index.h"
#include "tracefile/packing.h"

namespace mmt::tracefile {
namespace {

std::string take_text(VarintReader& from) { return std::string(from.take_bytes(from.take())); }

// Which objects live, a bit each.
class Lives {
 public:
  void begin(Object object) {
    const size_t word = object / 64;
    if (word >= words_.size()) words_.resize(std::max<size_t>(2 * words_.size(), word + 1));
    words_[word] |= uint64_t{1} << (object % 64);
  }
  bool is_live(Object object) const {
    const size_t word = object / 64;
    return word < words_.size() && (words_[word] >> (object % 64)) % 2 != 0;
  }
  void end(Object object) { words_[object / 64] &= ~(uint64_t{1} << (object % 64)); }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace

class Reader::State {
 public:
  State(const std::string& path, const std::string& name) : blocks_(path, name) {
    std::vector<uint8_t> content;
    const uint64_t place = blocks_.place();
    if (blocks_.next(content) != BlockKind::kHeader) blocks_.fail(place, "it has no header");
    VarintReader from(content.data(), content.size());
    header_.program = take_text(from);
    header_.source = take_text(from);
    header_.start_ns = from.take();
    header_.process = static_cast<uint32_t>(from.take());
    if (!from.is_whole()) blocks_.fail(place, "its header is cut off");
    first_ = blocks_.place();
    Index found;
    if (blocks_.find_index(found)) {
      index_ = std::move(found);
      has_index_ = true;
    }
  }

  const Header& header() const { return header_; }

  const Index& index() {
    if (!index_) index_ = blocks_.gather_index();
    return *index_;
  }

  std::span<const Event> next() {
    while (true) {
      // At the end the index follows, which was read. Where it is missing, it ends early.
      if (has_index_ && blocks_.place() == index_->end) return {};
      const uint64_t place = blocks_.place();
      const BlockKind kind = blocks_.next(content_);
      if (kind == BlockKind::kIndex) blocks_.fail(place, "its index is wrong: it is damaged");
      if (kind == BlockKind::kSites) read_sites(place);
      if (kind != BlockKind::kEvents) continue;
      read_frame(place);
      return events_;
    }
  }

  const FrameSummary& summary() const { return summary_; }

  void seek(uint64_t number) {
    const std::vector<Index::Frame>& frames = index().frames;
    summary_ = {};
    lives_.reset();
    if (number >= index().events()) {
      blocks_.go_to(index().end);
      if (!frames.empty()) summary_ = frames.back().summary;
      return;
    }
    const auto frame = std::prev(std::upper_bound(
        frames.begin(), frames.end(), number,
        [](uint64_t wanted, const Index::Frame& one) { return wanted < one.summary.first_event; }));
    if (frame == frames.begin()) {
      blocks_.go_to(first_);
      lives_.emplace();
      return;
    }
    blocks_.go_to(frame->place);
    summary_.first_event = frame->summary.first_event;
    summary_.newest_before = frame->summary.newest_before;
  }

  std::string site(uint32_t number) {
    if (number == 0) return "";
    // Those of frames that were not read yet, or were passed over.
    const bool is_missing = number > sites_.size() || sites_[number - 1].empty();
    if (is_missing && !has_all_sites_) read_all_sites();
    return number <= sites_.size() ? sites_[number - 1] : "";
  }

 private:
  void read_frame(uint64_t place) {
    const FrameSummary before = summary_;
    if (const char* wrong = decoder_.decode(content_, summary_, events_)) {
      blocks_.fail(place, std::string("a frame is damaged: ") + wrong);
    }
    if (summary_.first_event != before.first_event + before.events ||
        summary_.newest_before != before.newest_before + before.births) {
      blocks_.fail(place, "a frame does not follow the one before it");
    }
    if (!lives_) return;
    uint64_t number = summary_.first_event;
    for (const Event& one : events_) {
      if (one.kind == Kind::kAllocate) lives_->begin(one.object);
      if (one.kind == Kind::kFree || one.kind == Kind::kResize) check_lives(one, place, number);
      ++number;
    }
  }

  void check_lives(const Event& event, uint64_t place, uint64_t number) {
    if (!lives_->is_live(event.object)) {
      blocks_.fail(place, "event " + std::to_string(number) + " names object " +
                              std::to_string(event.object) + ", which is not live");
    }
    if (event.kind == Kind::kFree) lives_->end(event.object);
  }

  void read_sites(uint64_t place) {
    VarintReader from(content_.data(), content_.size());
    const uint64_t first = from.take();
    const uint64_t count = from.take();
    std::vector<uint8_t> texts;
    const bool is_taken = unpacker_.take(from, kLongestBlock, texts);
    // No text is shorter than its length's byte.
    if (!is_taken || first == 0 || count > texts.size() || first > sites_.size() + 1) {
      blocks_.fail(place, "its call sites are wrong");
    }
    VarintReader each(texts.data(), texts.size());
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t at = first - 1 + i;
      if (at >= sites_.size()) {
        sites_.emplace_back();
        sites_bytes_ += sizeof(std::string);
      }
      sites_bytes_ -= sites_[at].size();
      sites_[at] = take_text(each);
      sites_bytes_ += sites_[at].size();
      if (sites_bytes_ > most_of_sites(blocks_.size())) {
        blocks_.fail(place, "its call sites are more than a file of its size has");
      }
    }
    if (!each.is_whole() || each.left() != 0) blocks_.fail(place, "its call sites are wrong");
  }

  void read_all_sites() {
    const uint64_t before = blocks_.place();
    has_all_sites_ = true;
    try {
      for (const uint64_t place : index().sites) {
        blocks_.go_to(place);
        if (blocks_.next(content_) == BlockKind::kSites) read_sites(place);
      }
    } catch (const std::runtime_error&) {  // a text that is missing is none
    }
    blocks_.go_to(before);
  }

  BlockReader blocks_;
  Header header_;
  uint64_t first_ = 0;  // place behind the header
  std::optional<Index> index_;
  bool has_index_ = false;  // in the file
  FrameDecoder decoder_;
  Unpacker unpacker_;
  std::vector<uint8_t> content_;
  std::vector<Event> events_;
  FrameSummary summary_;  // of the frame read last
  std::optional<Lives> lives_{std::in_place};
  std::vector<std::string> sites_;
  uint64_t sites_bytes_ = 0;
  bool has_all_sites_ = false;  // that the file lists
};

Reader::Reader(const std::string& path, const std::string& name)
    : state_(std::make_unique<State>(path, name)) {}
Reader::~Reader() = default;

const Header& Reader::header() const { return state_->header(); }
uint64_t Reader::events() const { return state_->index().events(); }
uint64_t Reader::objects() const { return state_->index().objects(); }
std::span<const Event> Reader::next() { return state_->next(); }
uint64_t Reader::start_ns() const { return state_->summary().start_ns; }
uint64_t Reader::end_ns() const { return state_->summary().end_ns; }
void Reader::seek(uint64_t number) { state_->seek(number); }
std::string Reader::site(uint32_t number) const { return state_->site(number); }

}  // namespace mmt::tracefile
