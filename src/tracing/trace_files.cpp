#include "tracing/trace_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command/failure.h"
#include "command/text_file.h"
#include "tracefile/output_file.h"
#include "tracefile/reader.h"
#include "tracefile/writer.h"
#include "tracing/recording.h"
#include "tracing/trace_list.h"

namespace mmt::tracing {

using command::Failure;
using command::kRunFailed;
using command::write_text_file;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kSuffix = ".mtr";

// What the writer of a failed file has counted may not be in it.
void count_what_is_there(const RecordedProcess& one, Json& entry) {
  entry["events"] = 0;
  entry["objects"] = 0;
  try {
    const tracefile::Reader reader(one.path);
    entry["events"] = reader.events();
    entry["objects"] = reader.objects();
  } catch (const std::runtime_error&) {  // nothing is
  }
}

bool is_utf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

void name_file(const std::string& name, Json& entry) {
  entry["file"] = name;
  if (is_utf8(name)) return;
  std::string digits;
  for (const char one : name) digits += fmt::format("{:02x}", static_cast<unsigned char>(one));
  entry[kFileBytes] = digits;
}

Json listed(const RecordedProcess& one) {
  Json entry;
  name_file(fs::path(one.path).filename().string(), entry);
  entry["process"] = one.process;
  if (one.parent != 0) entry["parent"] = one.parent;
  entry["program"] = one.program;
  entry["events"] = one.events;
  entry["objects"] = one.objects;
  if (!one.failure.empty()) {
    count_what_is_there(one, entry);
    entry["error"] = one.failure;
  }
  return entry;
}

void write_list(const std::string& output, const RecordedFiles& files) {
  Json list{{"mmt_trace_processes", kListVersion}, {"processes", Json::array()}};
  for (const RecordedProcess& one : files.whole) list["processes"].push_back(listed(one));
  for (const RecordedProcess& one : files.failed) list["failed"].push_back(listed(one));
  for (const Unrecorded::Program& one : files.unrecorded) {
    Json entry{{"process", one.process}};
    if (one.parent != 0) entry["parent"] = one.parent;
    entry["program"] = one.command;
    list["unrecorded"].push_back(std::move(entry));
  }
  // Command lines are any bytes.
  write_text_file(output, list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

void check_trace_output(const std::string& output) {
  std::error_code ignored;
  const bool is_there = fs::exists(output, ignored);
  if (is_there && !fs::is_regular_file(output, ignored)) {
    throw Failure(
        kRunFailed,
        fmt::format("cannot write '{}': it is no regular file, as a trace must be", output));
  }
  // What a link names, not the link.
  const std::string real = tracefile::output_behind_links(output);
  const int file =
      real.empty()
          ? -1
          : ::open(real.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (file < 0) {
    throw Failure(kRunFailed, fmt::format("cannot write '{}': {}", output,
                                          errno == ELOOP ? "it is a link of another user's"
                                                         : std::strerror(errno)));
  }
  ::close(file);
  if (!is_there) ::unlink(real.c_str());
}

std::string trace_file_of(const std::string& output, int process, int images) {
  std::string stem = output;
  if (stem.ends_with(kSuffix)) stem.resize(stem.size() - kSuffix.size());
  return images == 0 ? fmt::format("{}.{}{}", stem, process, kSuffix)
                     : fmt::format("{}.{}.{}{}", stem, process, images + 1, kSuffix);
}

void finish_trace_files(const std::string& output, RecordedFiles files) {
  const std::size_t count = files.whole.size() + files.failed.size();
  if (count == 0) {
    tracefile::Writer(output, {.program = "", .source = "mmt trace"}).finish();
    return;
  }
  if (count == 1 && files.unrecorded.empty()) return;
  for (auto* const processes : {&files.whole, &files.failed}) {
    const auto first = std::find_if(processes->begin(), processes->end(),
                                    [&](const RecordedProcess& one) { return one.path == output; });
    if (first == processes->end()) continue;
    first->path = trace_file_of(output, static_cast<int>(first->process), 0);
    std::error_code ignored;  // one that has failed may not be there
    fs::rename(output, first->path, ignored);
    if (ignored && first->failure.empty()) {
      throw fs::filesystem_error("cannot move the first trace", output, first->path, ignored);
    }
    std::rotate(processes->begin(), first, first + 1);
  }
  write_list(output, files);
}

}  // namespace mmt::tracing
