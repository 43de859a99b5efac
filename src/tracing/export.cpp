#include "tracing/export.h"

#include <stdio.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tracefile/output_file.h"
#include "tracefile/reader.h"
#include "tracing/site_names.h"

namespace mmt::tracing {
namespace {

using tracefile::Event;
using tracefile::Kind;
using tracefile::Reader;

// A file is there from the first write on, so that what cannot be read leaves none.
class Output {
 public:
  explicit Output(const std::string& path) : path_(path) {}
  ~Output() {
    if (file_ != stdout && file_ != nullptr) std::fclose(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(const void* bytes, std::size_t size) {
    open();
    if (std::fwrite(bytes, 1, size, file_) != size) fail();
  }
  void write(const std::string& text) { write(text.data(), text.size()); }
  // Also makes an empty file.
  void close() {
    open();
    flush();
  }
  void flush() {
    if (file_ != nullptr && std::fflush(file_) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
  }
  void open() {
    if (file_ == nullptr && path_ == "-") file_ = stdout;
    if (file_ != nullptr) return;
    const int descriptor = tracefile::open_output(path_);
    if (descriptor >= 0) file_ = ::fdopen(descriptor, "w");
    if (file_ == nullptr) fail();
  }
  std::string path_;
  std::FILE* file_ = nullptr;
};

// Calls `take` with each frame; what is written so far is out before an error leaves.
template <class Take>
void each_frame(Reader& reader, Output& output, Take take) {
  try {
    for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) take(frame);
  } catch (const std::runtime_error&) {
    output.flush();
    throw;
  }
}

std::string text_of(const Event& event, SiteNames& sites) {
  std::string text = fmt::format("{} ", event.thread);
  switch (event.kind) {
    case Kind::kAllocate:
      text += fmt::format("allocate {} {}", event.object, event.bytes);
      break;
    case Kind::kFree:
      text += fmt::format("free {}", event.object);
      break;
    case Kind::kResize:
      text += fmt::format("resize {} {}", event.object, event.bytes);
      break;
    case Kind::kThreadStart:
      text += "thread_start";
      break;
    case Kind::kThreadEnd:
      text += "thread_end";
      break;
    case Kind::kPhase:
      text += fmt::format("phase {}", event.bytes);
      break;
  }
  if (event.alignment != 0) text += fmt::format(" align {}", std::uint64_t{1} << event.alignment);
  if (event.zeroed) text += " zeroed";
  if (event.site != 0) text += fmt::format(" at {}", sites.of(event.site));
  return text + "\n";
}

void export_text(const std::string& path, Output& output) {
  Reader reader(path);
  SiteNames sites(reader);
  each_frame(reader, output, [&](auto frame) {
    std::string text;
    for (const Event& one : frame) text += text_of(one, sites);
    output.write(text);
  });
}

bool is_in_rep(const Event& event) {
  return event.kind == Kind::kAllocate || event.kind == Kind::kFree || event.kind == Kind::kResize;
}

// The numbers in front ask for a pass of their own.
void export_rep(const std::string& path, Output& output) {
  std::uint64_t operations = 0;
  std::uint64_t objects = 0;
  {
    Reader reader(path);
    try {
      for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) {
        for (const Event& one : frame) {
          operations += is_in_rep(one) ? 1 : 0;
          objects += one.kind == Kind::kAllocate ? 1 : 0;
        }
      }
    } catch (const std::runtime_error&) {  // comes again, below
      if (operations == 0) throw;
    }
  }
  constexpr int kSuggestedHeap = 20'000'000;
  output.write(fmt::format("{}\n{}\n{}\n1\n", kSuggestedHeap, objects, operations));
  Reader reader(path);
  each_frame(reader, output, [&](auto frame) {
    std::string text;
    for (const Event& one : frame) {
      if (!is_in_rep(one)) continue;
      if (one.kind == Kind::kFree) {
        text += fmt::format("f {}\n", one.object - 1);
      } else {
        text += fmt::format("{} {} {}\n", one.kind == Kind::kAllocate ? 'a' : 'r', one.object - 1,
                            one.bytes);
      }
    }
    output.write(text);
  });
}

void export_events(const std::string& path, Output& output) {
  static_assert(sizeof(Event) == 32 && offsetof(Event, kind) == 0 && offsetof(Event, zeroed) == 1 &&
                    offsetof(Event, alignment) == 2 && offsetof(Event, thread) == 4 &&
                    offsetof(Event, site) == 8 && offsetof(Event, object) == 16 &&
                    offsetof(Event, bytes) == 24,
                "lab/mmt_lab/traces/export.py reads these");
  Reader reader(path);
  each_frame(reader, output,
             [&](auto frame) { output.write(frame.data(), frame.size() * sizeof(Event)); });
}

void export_sites(const std::string& path, Output& output) {
  const Reader reader(path);
  SiteNames sites(reader);
  nlohmann::json texts = nlohmann::json::array();
  std::uint32_t number = 1;
  for (std::string text = sites.of(number); !text.empty(); text = sites.of(++number)) {
    texts.push_back(text);
  }
  output.write(texts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

const std::vector<std::string>& export_formats() {
  static const std::vector<std::string> names{"parquet", "text", "rep", "events", "sites"};
  return names;
}

void export_trace(const std::string& format, const std::string& path, const std::string& output) {
  Output to(output);
  if (format == "text") export_text(path, to);
  if (format == "rep") export_rep(path, to);
  if (format == "events") export_events(path, to);
  if (format == "sites") export_sites(path, to);
  to.close();
}

}  // namespace mmt::tracing
