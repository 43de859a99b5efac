#include "unit/out_of_memory/call_sites.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace mmt::out_of_memory {
namespace {

using sys::fake::Call;

constexpr const char* kNames[] = {"map_at",       "map_anywhere", "populate",   "prefer_huge_pages",
                                  "discard",      "renew",        "move_pages", "resize_mapping",
                                  "move_mapping", "move_pieces"};
static_assert(std::size(kNames) == sys::fake::kCallCount);

// The compiler may attribute a call to another line of its statement.
constexpr int kLinesOfStatement = 2;

// A call that is the last thing its function does returns to that function's caller.
struct TailCall {
  const char* file;
  const char* caller;
};
constexpr TailCall kTailCalls[] = {{"heap/store/purging.cpp", "heap/keeper/purger.cpp"},
                                   {"heap/thread/attach.cpp", "heap/thread/attach.cpp"}};

std::string root() { return MMT_SOURCE_DIR "/src/"; }

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

bool is_looked_at(const std::string& file) {
  if (!file.ends_with(".cpp") && !file.ends_with(".h")) return false;
  if (file.ends_with("_test.cpp") || starts_with(file, "sys/fake/")) return false;
  // The calls themselves, which both doubles have.
  if (file == "sys/linux/page_calls.h" || file == "sys/linux/page_moves.h") return false;
  // No part of libmmt.so.
  for (const char* other : {"backend/", "beside/", "protocols/", "harden/", "guard/"})
    if (starts_with(file, other)) return false;
  std::istringstream left_out(MMT_SOURCES_LEFT_OUT);
  for (std::string other; left_out >> other;)
    if (file == other) return false;
  return true;
}

bool continues_name(char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c == '>'; }

// Whether a name that follows `before` is that of the contract. Within src/sys it needs no `sys::`.
bool is_qualified(const std::string& file, const std::string& before) {
  if (before.ends_with("sys::")) return true;
  return starts_with(file, "sys/") && (before.empty() || !continues_name(before.back()));
}

void scan(const std::string& file, std::vector<CallSite>* found) {
  std::ifstream source(root() + file);
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    line.resize(std::min(line.find("//"), line.size()));
    for (size_t i = 0; i < std::size(kNames); ++i) {
      const std::string call = std::string(kNames[i]) + "(";
      for (size_t at = line.find(call); at != line.npos; at = line.find(call, at + 1))
        if (is_qualified(file, line.substr(0, at)))
          found->push_back({static_cast<Call>(i), file, number});
    }
  }
}

std::string own_path() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0) throw std::runtime_error("no /proc/self/exe");
  return {path, static_cast<size_t>(size)};
}

std::string first_line_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  char text[4096] = "";
  const bool read = fgets(text, sizeof text, pipe) != nullptr;
  if (pclose(pipe) != 0 || !read) throw std::runtime_error("no answer from " + command);
  return text;
}

// "/where/it/is/src/heap/store/region.cpp:102", of the call before the address.
std::string source_line(uintptr_t return_address) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(return_address), &info) == 0)
    throw std::runtime_error("a call from nowhere");
  const uintptr_t offset = return_address - reinterpret_cast<uintptr_t>(info.dli_fbase) - 1;
  std::ostringstream command;
  command << "addr2line -e '" << own_path() << "' 0x" << std::hex << offset;
  return first_line_of(command.str());
}

}  // namespace

const char* name_of(Call call) { return kNames[static_cast<size_t>(call)]; }

std::string describe(const CallSite& site) {
  return std::string(name_of(site.call)) + " in " + site.file + ":" + std::to_string(site.line);
}

std::vector<CallSite> call_sites_of_sources() {
  std::vector<CallSite> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root())) {
    const std::string file = entry.path().string().substr(root().size());
    if (is_looked_at(file)) scan(file, &found);
  }
  return found;
}

CallSite locate(sys::fake::SiteId id, const std::vector<CallSite>& known) {
  const Call call = sys::fake::call_of(id);
  const std::string where = source_line(sys::fake::return_address_of(id));
  const std::string prefix = root();
  if (!starts_with(where, prefix.c_str())) return {call, "", 0};
  const size_t colon = where.rfind(':');
  const std::string file = where.substr(prefix.size(), colon - prefix.size());
  const int line = std::stoi(where.substr(colon + 1));
  for (const CallSite& site : known) {
    const int distance = site.line > line ? site.line - line : line - site.line;
    if (site.call == call && site.file == file && distance <= kLinesOfStatement) return site;
  }
  for (const TailCall& tail : kTailCalls)
    for (const CallSite& site : known)
      if (site.call == call && site.file == tail.file && file == tail.caller) return site;
  return {call, "", 0};
}

}  // namespace mmt::out_of_memory
