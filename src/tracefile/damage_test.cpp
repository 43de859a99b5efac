// Files that end early or were changed give out all before the damage, then an error says what is
// wrong. There is never more than was written, and never a crash.
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/path_for_test.h"
#include "tracefile/block.h"
#include "tracefile/events_for_tests.h"
#include "tracefile/reader.h"
#include "tracefile/writer.h"

namespace mmt::tracefile {
namespace {

struct Found {
  std::vector<Event> events;
  std::string error;  // empty: none
};

Found read_all(const std::string& path) {
  Found found;
  try {
    Reader reader(path);
    for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
      found.events.insert(found.events.end(), frame.begin(), frame.end());
    }
  } catch (const std::runtime_error& error) {
    found.error = error.what();
  }
  return found;
}

// All that was found is a beginning of what was written.
void expect_beginning(const Found& found, const std::vector<Event>& written) {
  ASSERT_LE(found.events.size(), written.size());
  for (size_t i = 0; i < found.events.size(); ++i) {
    ASSERT_TRUE(is_same(found.events[i], written[i])) << i;
  }
}

class Damage : public testing::Test {
 protected:
  const std::vector<Event> events_ = some_events(140'000, 8);
  const std::string path_ = path_for_test("mtr");
  std::string whole_;

  void SetUp() override {
    write_trace(path_, events_);
    whole_ = bytes_of(path_);
  }

  Found read_changed(const std::string& bytes) {
    put_bytes(path_, bytes);
    return read_all(path_);
  }
};

TEST_F(Damage, OfAnEndThatIsMissing) {
  for (const double share : {0.99, 0.7, 0.5, 0.1}) {
    const auto size = static_cast<size_t>(share * static_cast<double>(whole_.size()));
    const Found found = read_changed(whole_.substr(0, size));
    expect_beginning(found, events_);
    EXPECT_EQ(found.events.size(), share > 0.98 ? 131'072u : share > 0.49 ? 65'536u : 0u) << share;
    EXPECT_NE(found.error.find(path_), std::string::npos);
    EXPECT_NE(found.error.find("ends early"), std::string::npos) << found.error;
  }
}

TEST_F(Damage, OfAnyLength) {
  std::vector<Event> few(events_.begin(), events_.begin() + 40);
  write_trace(path_, few);
  const std::string whole = bytes_of(path_);
  for (size_t size = 0; size < whole.size(); ++size) {
    const Found found = read_changed(whole.substr(0, size));
    expect_beginning(found, few);
    ASSERT_NE(found.error, "") << size;
  }
}

TEST_F(Damage, OfAnyByte) {
  std::vector<Event> few(events_.begin(), events_.begin() + 40);
  write_trace(path_, few);
  const std::string whole = bytes_of(path_);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const Found found = read_changed(changed);
    expect_beginning(found, few);
    ASSERT_NE(found.error, "") << at;
  }
}

TEST_F(Damage, OfAFrameInTheMiddle) {
  std::string changed = whole_;
  changed[changed.size() * 7 / 10] ^= 1;
  const Found found = read_changed(changed);
  expect_beginning(found, events_);
  EXPECT_EQ(found.events.size(), 65'536u);
  EXPECT_NE(found.error.find("checksum"), std::string::npos) << found.error;
  // The frame behind it can still be reached.
  Reader reader(path_);
  reader.seek(135'000);
  EXPECT_TRUE(is_same(reader.next()[135'000 - 131'072], events_[135'000]));
}

TEST_F(Damage, OfAnIndexThatWasNotWritten) {
  write_trace(path_, events_, false);
  const Found found = read_all(path_);
  expect_beginning(found, events_);
  EXPECT_EQ(found.events.size(), 131'072u);
  EXPECT_NE(found.error.find("ends early"), std::string::npos) << found.error;
  Reader reader(path_);
  EXPECT_EQ(reader.events(), 131'072u);
  EXPECT_NE(reader.objects(), 0u);
  reader.seek(100'000);
  EXPECT_TRUE(is_same(reader.next()[100'000 - 65'536], events_[100'000]));
}

TEST_F(Damage, OfNoTraceAtAll) {
  EXPECT_NE(read_changed("").error.find("is no trace"), std::string::npos);
  EXPECT_NE(read_changed("#!/bin/sh\necho no trace\n").error.find("is no trace"),
            std::string::npos);
  EXPECT_NE(read_all("/nowhere.mtr").error.find("No such file"), std::string::npos);
  EXPECT_NE(read_all("/tmp").error.find("/tmp"), std::string::npos);
}

TEST_F(Damage, OfAnotherVersion) {
  std::string changed = whole_;
  changed[kMagic.size()] = 99;
  EXPECT_NE(read_changed(changed).error.find("version 99"), std::string::npos);
}

TEST_F(Damage, OfEventsThatCannotBe) {
  const std::vector<Event> twice{{.kind = Kind::kAllocate, .object = 1, .bytes = 8},
                                 {.kind = Kind::kFree, .object = 1},
                                 {.kind = Kind::kFree, .object = 1}};
  write_trace(path_, twice);
  EXPECT_NE(read_all(path_).error.find("event 2 names object 1, which is not live"),
            std::string::npos);
}

// Blocks in any order, of any content, with right checksums.
TEST_F(Damage, OfAnyBytes) {
  std::mt19937_64 random(9);
  std::vector<Event> few(events_.begin(), events_.begin() + 400);
  write_trace(path_, few);
  const std::string whole = bytes_of(path_);
  for (int round = 0; round < 600; ++round) {
    std::string changed = whole;
    for (uint64_t changes = 1 + random() % 4; changes != 0; --changes) {
      changed[kPreambleBytes + random() % (changed.size() - kPreambleBytes)] =
          static_cast<char>(random());
    }
    for (size_t place = kPreambleBytes; place + kBlockHeadBytes <= changed.size();) {
      auto* const at = reinterpret_cast<uint8_t*>(&changed[place]);
      BlockHead head = BlockHead::from(at);
      if (head.size > changed.size() - place - kBlockHeadBytes) break;
      head.crc = head.crc_over(at + kBlockHeadBytes);
      const auto bytes = head.bytes();
      std::copy(bytes.begin(), bytes.end(), at);
      place += kBlockHeadBytes + head.size;
    }
    put_bytes(path_, changed);
    const Found found = read_all(path_);
    EXPECT_LE(found.events.size(), 1u << 20);
    try {
      Reader reader(path_);
      EXPECT_LE(reader.objects(), reader.events());
      reader.site(1);
      reader.seek(random() % 500);
      reader.next();
    } catch (const std::runtime_error&) {
    }
  }
}

}  // namespace
}  // namespace mmt::tracefile
