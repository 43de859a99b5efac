#include "import/import_state.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "tracefile/import/import.h"
#include "tracefile/reader.h"

namespace mmt::fuzz {
namespace {

constexpr size_t kMostText = size_t{1} << 20;
constexpr size_t kMostUnpacked = size_t{32} << 20;

std::string hex(uint64_t number) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[number % 16]);
    number /= 16;
  } while (number != 0);
  return text;
}

std::string call_of(const std::string& format, std::mt19937& random) {
  const auto key = static_cast<uint32_t>(random() % 60);
  const auto bytes = static_cast<uint32_t>(random() % 5000);
  const bool is_birth = random() % 3 != 0;
  if (format == "rep") {
    return (is_birth ? "a " : "f ") + std::to_string(key) +
           (is_birth ? " " + std::to_string(bytes) : "");
  }
  if (format == "mtrace") {
    if (random() % 8 == 0) return "@ m:[0x1] < 0x" + hex(key) + "\n@ m:[0x1] > 0x40 0x10";
    return (is_birth ? "@ m:[0x" + hex(key) + "] + 0x" : "- 0x") + hex(key) +
           (is_birth ? " 0x" + hex(bytes) : "");
  }
  if (format == "memory_replay") {
    const std::string thread = std::to_string(random() % 4) + ": ";
    if (random() % 8 == 0) return thread + "realloc 0x" + hex(key) + " 0x1 " + hex(bytes % 10);
    return thread + (is_birth ? "malloc 0x" : "free 0x") + hex(key) +
           (is_birth ? " " + std::to_string(bytes) : "");
  }
  if (random() % 4 == 0) return "a " + hex(bytes) + " " + hex(random() % 9);
  return (is_birth ? "+ " + hex(random() % 9) + " " + hex(random() % 9) + " " : "- ") + hex(key);
}

std::string packed(const std::string& text, const std::string& last, uint32_t repeated) {
  std::string all = text;
  const size_t room = kMostUnpacked - std::min(kMostUnpacked, all.size());
  const size_t times = std::min<size_t>(repeated, room / (last.size() + 1));
  all.reserve(all.size() + times * last.size());
  for (size_t i = 0; i < times; ++i) all += last;
  std::string out(ZSTD_compressBound(all.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), all.data(), all.size(), 1));
  return out;
}

}  // namespace

std::string describe(const ImportOp& op) {
  constexpr std::array<const char*, static_cast<size_t>(ImportOpKind::kCount)> kNames{
      "call", "site",   "number", "byte",   "long_line", "again",
      "pack", "repeat", "cut",    "format", "import"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

void ImportState::begin(uint32_t format) {
  const std::vector<std::string>& formats = tracefile::import_formats();
  format_ = formats[format % formats.size()];
  text_ = format_ == "heaptrack" ? "v 10400 3\n" : "";
  last_.clear();
  repeated_ = cut_ = 0;
  is_packed_ = false;
}

void ImportState::apply(const Op& op) {
  using OpKind = ImportOpKind;
  if (op.kind <= OpKind::kAgain && text_.size() > kMostText) return;
  switch (op.kind) {
    case OpKind::kCall:
      return add_call(op);
    case OpKind::kSite:
      return add_site(op);
    case OpKind::kNumber:
      return add_number(op);
    case OpKind::kByte:
      return change(op);
    case OpKind::kLongLine:
      last_ = (op.which % 2 == 0 ? "s " : "+ ") + std::string(op.amount % (3u << 20), 'x') + "\n";
      text_ += last_;
      return;
    case OpKind::kAgain:
      text_ += std::string(text_).substr(0, op.amount % (1u << 16));
      return;
    case OpKind::kPack:
      is_packed_ = op.which % 4 != 0;
      return;
    case OpKind::kRepeat:
      repeated_ = op.amount % (op.which % 4 == 0 ? 10'000'000 : 10'000);
      return;
    case OpKind::kCut:
      cut_ = op.amount % 100;
      return;
    case OpKind::kFormat:
      return begin(op.which);
    case OpKind::kImport:
      return import();
    case OpKind::kCount:
      return;
  }
}

void ImportState::add_call(const Op& op) {
  std::mt19937 random(op.which);
  for (uint32_t left = 1 + op.amount % 200; left != 0; --left) {
    last_ = call_of(format_, random) + "\n";
    text_ += last_;
  }
}

void ImportState::add_site(const Op& op) {
  if (format_ != "heaptrack") return add_call(op);
  const std::string number = hex(1 + op.amount % 5);
  const std::array<std::string, 5> lines{
      "s " + hex(op.amount % 40) + " " + std::string(op.amount % 40, 'y'),
      "i " + hex(op.amount) + " " + number + " " + number + " " + number + " 7",
      "t " + number + " " + hex(op.amount % 3), "m 3 lib 1000 0 10 20 10 40 10", "x 2 /m"};
  last_ = lines[op.which % lines.size()] + "\n";
  text_ += last_;
}

void ImportState::add_number(const Op& op) {
  constexpr std::array<uint64_t, 6> kNumbers{
      0,         (uint64_t{1} << 32) - 1, uint64_t{1} << 32, uint64_t{1} << 47, UINT64_MAX / 2 + 1,
      UINT64_MAX};
  const uint64_t number = kNumbers[op.amount % kNumbers.size()];
  const std::string decimal = std::to_string(number);
  if (format_ == "rep") {
    last_ = "a " + std::to_string(op.which) + " " + decimal;
  } else if (format_ == "mtrace") {
    last_ = "+ 0x" + hex(op.which) + " 0x" + hex(number);
  } else if (format_ == "memory_replay") {
    last_ = op.which % 2 == 0 ? decimal + ": malloc 0x1 " + decimal
                              : "1: memalign 0x7 " + decimal + " 8";
  } else {
    last_ = (op.which % 2 == 0 ? "+ 8 " : "i ") + hex(number) + " " + hex(op.which);
  }
  last_ += "\n";
  text_ += last_;
}

void ImportState::change(const Op& op) {
  if (text_.empty()) return;
  text_[op.which % text_.size()] = static_cast<char>(op.amount);
}

std::string ImportState::bytes() const {
  std::string all = is_packed_ ? packed(text_, last_, repeated_) : text_;
  all.erase(all.size() - std::min<size_t>(cut_, all.size()));
  return all;
}

void ImportState::import() const {
  from_.put(bytes());
  to_.put("");
  read_bounded([&] { tracefile::import_trace(format_, from_.path(), to_.path()); });
  // An import that has failed leaves whole frames, or nothing.
  read_bounded([&] {
    tracefile::Reader reader(to_.path());
    while (!reader.next().empty()) {
    }
  });
}

}  // namespace mmt::fuzz
