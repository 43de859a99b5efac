#include "tracefile/import/import.h"

#include <stdexcept>

#include "tracefile/import/builder.h"
#include "tracefile/import/lines.h"

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
    } catch (const std::runtime_error&) {
      builder.writer().finish();
      throw;
    }
    builder.writer().finish();
    return {builder.writer().events(), builder.writer().objects(), builder.writer().bytes(),
            builder.unknown};
  }
  throw std::runtime_error("unknown format '" + format + "'");
}

}  // namespace mmt::tracefile
