// `mmt doctor`: what the kernel offers for memory: huge pages, population, protection keys.
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "cli/machine/findings.h"
#include "command/first_line.h"
#include "report/units.h"

namespace mmt::cli {

using command::first_line;

namespace {

constexpr const char* kThp = "/sys/kernel/mm/transparent_hugepage/";

// "always [madvise] never" -> "madvise".
std::string selected(const std::string& line) {
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']');
  if (open == std::string::npos || close == std::string::npos) return line;
  return line.substr(open + 1, close - open - 1);
}

void examine_huge_pages(Findings& findings) {
  const std::string mode = selected(first_line(std::string(kThp) + "enabled"));
  if (mode.empty()) {
    findings.push_back({"thp", "not supported", Verdict::kNote, "no huge pages"});
    return;
  }
  findings.push_back({"thp", mode, mode == "never" ? Verdict::kNote : Verdict::kGood,
                      mode == "never"     ? "no huge pages: page tables stay deep"
                      : mode == "madvise" ? "huge pages where MMT asks for them"
                                          : "huge pages everywhere, also where they do not pay"});
  findings.push_back({"thp_defrag", selected(first_line(std::string(kThp) + "defrag")),
                      Verdict::kGood, "how hard a fault tries to find a huge page"});
  std::map<long, std::string> sizes;  // KiB
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kThp, error)) {
    long size = 0;
    if (std::sscanf(entry.path().filename().c_str(), "hugepages-%ldkB", &size) == 1) {
      const std::string state = selected(first_line(entry.path().string() + "/enabled"));
      if (!state.empty()) sizes[size] = state;  // else a size for shared memory only
    }
  }
  std::string list;
  for (const auto& [size, state] : sizes) {
    if (state == "never") continue;
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ",
                        report::format_bytes(1024.0 * static_cast<double>(size)), state);
  }
  findings.push_back({"mthp",
                      sizes.empty()  ? "not supported"
                      : list.empty() ? "all off"
                                     : list,
                      Verdict::kGood, "sizes of huge pages that the kernel may hand out"});
}

void examine_populate(Findings& findings) {
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  const bool works = ::madvise(page, size, MADV_POPULATE_WRITE) == 0;
  ::munmap(page, size);
  findings.push_back(
      {"page_size", report::format_bytes(static_cast<double>(size)), Verdict::kGood, ""});
  findings.push_back({"populate_write", works ? "works" : "missing (Linux 5.14)",
                      works ? Verdict::kGood : Verdict::kNote,
                      works ? "the memory thread can fault pages in ahead of use"
                            : "the memory thread touches pages one by one"});
}

void examine_keys(Findings& findings) {
  const int key = ::pkey_alloc(0, 0);
  if (key >= 0) ::pkey_free(key);
  findings.push_back({"pkeys", key >= 0 ? "work" : "not available",
                      key >= 0 ? Verdict::kGood : Verdict::kNote,
                      "keys could seal the heap's metadata, which it does not do yet"});
}

void examine_policy(Findings& findings) {
  const std::string overcommit = first_line("/proc/sys/vm/overcommit_memory");
  findings.push_back({"overcommit",
                      overcommit == "0"   ? "heuristic (0)"
                      : overcommit == "1" ? "always (1)"
                      : overcommit == "2" ? "strict (2)"
                                          : "unknown",
                      overcommit == "2" ? Verdict::kNote : Verdict::kGood,
                      overcommit == "2" ? "only memory in use is charged: reserved ranges are not"
                                        : "large address ranges can be reserved"});
  const std::string maps = first_line("/proc/sys/vm/max_map_count");
  const bool few = !maps.empty() && std::stol(maps) < 65530;
  findings.push_back(
      {"max_map_count", maps.empty() ? "unknown" : maps, few ? Verdict::kNote : Verdict::kGood,
       "mappings a process may have; MMT takes 16,384 of them at most, by moving pages"});
}

}  // namespace

void examine_memory(Findings& findings) {
  examine_huge_pages(findings);
  examine_populate(findings);
  examine_keys(findings);
  examine_policy(findings);
}

}  // namespace mmt::cli
