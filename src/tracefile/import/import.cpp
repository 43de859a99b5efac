#include "tracefile/import/import.h"

#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "tracefile/formats.h"
#include "tracefile/import/builder.h"
#include "tracefile/import/lines.h"
#include "tracefile/memory_bound.h"

namespace mmt::tracefile {
namespace {

struct Format {
  std::string name;
  void (*import)(Lines& lines, Builder& to);
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all{{"mtrace", import_mtrace},
                                       {"heaptrack", import_heaptrack},
                                       {"rep", import_rep},
                                       {"memory_replay", import_memory_replay}};
  return all;
}

// What there is of it. An empty trace is none.
void finish(Builder& builder, const std::string& to) {
  builder.writer().finish();
  std::error_code ignored;
  const bool is_stub =
      builder.writer().events() == 0 && std::filesystem::is_regular_file(to, ignored);
  if (is_stub) std::filesystem::remove(to, ignored);
}

}  // namespace

const std::vector<std::string>& import_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Format& one : formats()) all.push_back(one.name);
    return all;
  }();
  return names;
}

Imported import_trace(const std::string& format, const std::string& from, const std::string& to) {
  for (const Format& one : formats()) {
    if (one.name != format) continue;
    Lines lines(from);
    Builder builder(to, from, format);
    try {
      one.import(lines, builder);
      if (!lines.had_any())
        throw std::runtime_error("'" + from + "' is no trace, it is empty: " + what_is_read());
    } catch (const FaultyText& fault) {
      const bool may_be_foreign = builder.writer().objects() == 0 && !lines.is_recognized();
      finish(builder, to);
      if (!may_be_foreign) throw;
      throw std::runtime_error(std::string(fault.what()) + "; it was read as " + format + ". " +
                               what_is_read());
    } catch (const std::runtime_error&) {
      finish(builder, to);
      throw;
    } catch (const std::bad_alloc& failure) {
      const MemoryBound::Lifted lifted;
      finish(builder, to);
      throw std::runtime_error(told_of(failure));
    }
    builder.writer().finish();
    return {builder.writer().events(), builder.writer().objects(), builder.writer().bytes(),
            builder.unknown, builder.unfreed};
  }
  throw std::runtime_error("unknown format '" + format + "': " + what_is_read());
}

}  // namespace mmt::tracefile
