#pragma once
// Events of a block, column by column: what is alike lies together, and compresses well.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tracefile/event.h"
#include "tracefile/packing.h"
#include "tracefile/varint.h"

namespace mmt::tracefile {

// Events a frame holds at most.
inline constexpr size_t kFrameEvents = 1 << 16;

// What is known of a frame without unpacking it.
struct FrameSummary {
  uint64_t events = 0;
  uint64_t first_event = 0;  // its number in the file
  Object newest_before = 0;  // of the objects that were born before it
  uint64_t births = 0;       // kAllocate in it
  uint64_t start_ns = 0;     // times of its first and last event
  uint64_t end_ns = 0;

  bool operator==(const FrameSummary&) const = default;
};

void append_summary(std::vector<uint8_t>& to, const FrameSummary& summary);
FrameSummary take_summary(VarintReader& from);

// Collects the events of one frame after another.
class FrameEncoder {
 public:
  FrameEncoder();
  void add(const Event& event, uint64_t ns);
  bool is_full() const { return summary_.events == kFrameEvents; }
  bool is_empty() const { return summary_.events == 0; }
  const FrameSummary& summary() const { return summary_; }
  // The content of its block; begins the next frame.
  std::vector<uint8_t> take();

 private:
  // Room for a frame of the longest numbers, so that adding checks nothing.
  class Column {
   public:
    explicit Column(size_t bytes_each) : bytes_(new uint8_t[kFrameEvents * bytes_each]) {}
    void put(uint64_t value) { size_ = static_cast<size_t>(put_varint(end(), value) - &bytes_[0]); }
    void put_byte(uint8_t value) { bytes_[size_++] = value; }
    void pack(Packer& packer, std::vector<uint8_t>& to) {
      packer.append(to, &bytes_[0], size_);
      size_ = 0;
    }

   private:
    uint8_t* end() { return &bytes_[size_]; }
    std::unique_ptr<uint8_t[]> bytes_;
    size_t size_ = 0;
  };

  void end_run();

  FrameSummary summary_;
  uint32_t run_thread_ = 0;
  uint64_t run_length_ = 0;
  Column kinds_{1};
  Column threads_{2 * kLongestVarint};
  Column bytes_{kLongestVarint};
  Column distances_{kLongestVarint};
  Column alignments_{1};
  Column sites_{kLongestVarint};
  Packer packer_;
};

// Reads what FrameEncoder made, and bytes that may be anything.
class FrameDecoder {
 public:
  // nullptr: done, `events` holds them. Else what is wrong with the content.
  const char* decode(const std::vector<uint8_t>& content, FrameSummary& summary,
                     std::vector<Event>& events);

 private:
  const char* decode_columns(const FrameSummary& summary, std::vector<Event>& events);

  Unpacker unpacker_;
  std::vector<uint8_t> kinds_, threads_, bytes_, distances_, alignments_, sites_;
};

}  // namespace mmt::tracefile
