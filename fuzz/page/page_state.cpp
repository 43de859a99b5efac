#include "page/page_state.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include <mmt/core/visible.h>

#include "cli/stats/claims.h"
#include "cli/stats/heap_lines.h"

namespace mmt::fuzz {
namespace {

using observe::PageFile;
using observe::Stat;

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// Mostly what lies at the edge of a type.
uint64_t number(uint32_t amount) {
  constexpr std::array<uint64_t, 12> kEdges{0,
                                            1,
                                            INT32_MAX,
                                            UINT32_MAX,
                                            uint64_t{1} << 47,
                                            uint64_t{1} << 56,
                                            (uint64_t{1} << 56) + 1,
                                            uint64_t{1} << 60,
                                            INT64_MAX,
                                            uint64_t{1} << 63,
                                            UINT64_MAX - 1,
                                            UINT64_MAX};
  const uint64_t random = amount * uint64_t{0x9E3779B97F4A7C15};
  return amount % 3 == 0 ? random : amount % 3 == 1 ? random >> 40 : kEdges[amount / 3 % 12];
}

// The text is lines, whatever names are in them.
bool is_harmless(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const core::Letter letter = core::first_letter(text.data() + at, text.size() - at);
    if (letter.code != '\n' && !core::is_shown(letter)) return false;
    at += letter.bytes;
  }
  return true;
}

std::string name_of(const PageFile& file) {
  return std::to_string(file.process) + "." + std::to_string(file.opened_ns);
}

}  // namespace

std::string describe(const PageOp& op) {
  constexpr std::array<const char*, static_cast<size_t>(PageOpKind::kCount)> kNames{
      "new", "figure", "inherited", "identity", "head", "peaks", "name", "cut", "read"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + "(" + std::to_string(op.which) + ", " +
         std::to_string(op.amount) + ")";
}

PageState::PageState() { renew({}); }

void PageState::renew(const Op& op) {
  file_ = {};
  std::memcpy(file_.page.magic, observe::kStatsMagic, sizeof file_.page.magic);
  file_.page.version = observe::kStatsVersion;
  file_.page.count = static_cast<uint32_t>(Stat::kCount);
  for (size_t i = 0; i < std::size(observe::kStatFields); ++i) {
    if (std::string_view(observe::kStatFields[i].unit) != "flag")
      file_.page.values[i] = op.amount + i * op.which;
  }
  file_.process = 1 + op.which % 1000;
  file_.opened_ns = 1 + op.amount;
  file_.ended_ns = op.amount % 2 == 0 ? 0 : file_.opened_ns + op.which;
  name_ = name_of(file_);
  size_ = sizeof file_;
  is_new_ = true;
}

void PageState::put_identity(const Op& op) {
  const uint64_t value = number(op.amount);
  if (op.which % 4 == 0) file_.process = static_cast<uint32_t>(value);
  if (op.which % 4 == 1) file_.opened_ns = value;
  if (op.which % 4 == 2) file_.ended_ns = value;
  // Whoever forges the one forges the other.
  if (op.which % 5 != 0) name_ = name_of(file_);
}

void PageState::put_head(const Op& op) {
  if (op.which % 3 == 0) file_.page.count = static_cast<uint32_t>(number(op.amount));
  if (op.which % 3 == 1) file_.page.version = static_cast<uint32_t>(number(op.amount));
  if (op.which % 3 == 2) file_.page.magic[op.amount % 8] ^= 1;
}

void PageState::read() {
  const auto* const bytes = reinterpret_cast<const char*>(&file_);
  cli::PageClaim claim = cli::claim_of({bytes, size_}, name_);
  require(!claim.is_page || claim.doubt.empty(), "what is doubted is not taken");
  require(!is_new_ || claim.is_page, "what a library writes is taken");
  require(is_harmless(claim.doubt), "a doubt quotes no name");
  if (!claim.is_page) return;
  require(claim.page.process > 0, "a process has a number");
  require(claim.page.values.size() <= std::size(observe::kStatFields), "figures are known ones");
  std::vector<cli::ProcessPage> pages;
  pages.push_back(std::move(claim.page));
  tree_.add(std::move(pages));
}

void PageState::apply(const Op& op) {
  if (op.kind != PageOpKind::kNew && op.kind != PageOpKind::kRead) is_new_ = false;
  switch (op.kind) {
    case PageOpKind::kNew:
      return renew(op);
    case PageOpKind::kFigure:
      file_.page.values[op.which % observe::kStatsPageValues] = number(op.amount);
      break;
    case PageOpKind::kInherited:
      file_.inherited[op.which % observe::kStatsPageValues] = number(op.amount);
      break;
    case PageOpKind::kIdentity:
      put_identity(op);
      break;
    case PageOpKind::kHead:
      put_head(op);
      break;
    case PageOpKind::kPeaks:
      (op.which % 2 == 0 ? file_.peaks.used : file_.peaks.held) = number(op.amount);
      break;
    case PageOpKind::kName:
      file_.program[op.which % sizeof file_.program] = static_cast<char>(op.amount);
      break;
    case PageOpKind::kCut:
      size_ = op.which % (sizeof file_ + 1);
      break;
    case PageOpKind::kRead:
    case PageOpKind::kCount:
      break;
  }
  read();
}

void PageState::check_invariants() const {
  require(tree_.taken() >= taken_, "a sum does not wrap");
  require(tree_.taken() >= tree_.given(), "no more comes back than left");
  const uint64_t most = tree_.most_at_a_time(Stat::kMostInUseBytes);
  for (const cli::ProcessPage& one : tree_.all())
    require(most >= cli::figure(one.values, Stat::kMostInUseBytes), "the most of all is no less");
}

void PageState::finish() {
  check_invariants();
  cli::HeapFigures figures;
  figures.asked_peak = tree_.most_at_a_time(Stat::kMostInUseBytes);
  figures.held_peak = tree_.most_at_a_time(Stat::kPeakHeldBytes);
  figures.asked_inherited = tree_.inherited_then(Stat::kMostInUseBytes);
  figures.taken = tree_.taken();
  figures.given = tree_.given();
  figures.taken_a_second = static_cast<double>(tree_.taken()) / 1e-9;
  figures.threads = tree_.most_threads();
  figures.processes = tree_.processes();
  figures.served = tree_.served();
  figures.counters = tree_.counters();
  if (!tree_.all().empty()) figures.last = tree_.all().back().values;
  cli::HeapLines lines = cli::heap_lines(figures);
  for (const auto& [name, same] : tree_.names()) lines.push_back({"largest", name});
  for (const cli::HeapLine& one : lines) {
    const std::string text = cli::below_heading({one});
    require(is_harmless(text), "names are made visible");
    require(text.find("nan") == std::string::npos && text.find("inf") == std::string::npos,
            "numbers are numbers");
  }
}

}  // namespace mmt::fuzz
