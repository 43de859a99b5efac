// parser: a natural-language parser whose memory of one sentence is stack-like. It parses the
// sentences of a file, again and again; the variants of the program differ in their allocator only.
// The answers to known sentences are checked each time the program runs.
// Metric: total_s, wall seconds of all rounds.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "classic/parser/parser.h"
#include "common/clock.h"
#include "common/data_folder.h"
#include "common/flags.h"
#include "common/report.h"

namespace {

using namespace mmt::workloads;

// Lines of a file without blank ones and comments.
std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  if (!file.eof() || lines.empty()) {
    parser_fail(kStatusBadInput, "cannot read sentences of %s", path.c_str());
  }
  return lines;
}

struct Known {
  uint64_t linkages;
  std::string sentence;
  std::string links;  // of the best linkage
};

// "linkages | sentence | links"
Known known_of(const std::string& line) {
  const size_t first = line.find(" | ");
  const size_t second = line.find(" | ", first + 1);
  char* end = nullptr;
  const uint64_t linkages = std::strtoull(line.c_str(), &end, 10);
  if (first == std::string::npos || second == std::string::npos || end != line.c_str() + first) {
    parser_fail(kStatusBadInput, "not 'linkages | sentence | links': %s", line.c_str());
  }
  return {linkages, line.substr(first + 3, second - first - 3), line.substr(second + 3)};
}

void check_known(const Dictionary* dictionary, const std::string& path, uint64_t most,
                 ParseResult* result) {
  for (const std::string& line : lines_of(path)) {
    const Known known = known_of(line);
    parser_parse(dictionary, known.sentence.c_str(), most, result);
    if (result->linkages != known.linkages || known.links != result->links) {
      parser_fail(kStatusWrong,
                  "wrong: '%s' has %" PRIu64 " linkages, best %s; expected %" PRIu64 ", %s",
                  known.sentence.c_str(), result->linkages, result->links, known.linkages,
                  known.links.c_str());
    }
  }
}

uint64_t mixed(uint64_t hash, const ParseResult& result) {
  hash = (hash ^ result.linkages) * 0x100000001b3u;
  hash = (hash ^ static_cast<uint64_t>(result.cost)) * 0x100000001b3u;
  for (const char* at = result.links; *at != '\0'; ++at) {
    hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(PARSER_VARIANT, argc, argv);
  const bool small = flags.given("small");
  const bool print = flags.given("print");
  const std::string folder = data_folder(flags.text("data", ""), "parser");
  std::string dictionary_path(flags.text("dictionary", ""));
  std::string sentences_path(flags.text("sentences", ""));
  const std::string sentence(flags.text("sentence", ""));
  const uint64_t rounds = std::max<uint64_t>(flags.number("rounds", small ? 1 : 75), 1);
  const uint64_t most = flags.number("most", 500);
  flags.finish();
  // The answers are known for the dictionary that belongs to them.
  const bool is_own = dictionary_path.empty() && sentence.empty();
  if (dictionary_path.empty()) dictionary_path = folder + "/english.dict";
  if (sentences_path.empty()) sentences_path = folder + "/sentences.txt";

  std::vector<std::string> sentences;
  if (sentence.empty()) {
    sentences = lines_of(sentences_path);
  } else {
    sentences.push_back(sentence);
  }
  if (small && sentences.size() > 20) sentences.resize(20);
  const Dictionary* dictionary = dictionary_read(dictionary_path.c_str());
  parser_open();
  static ParseResult result;
  if (is_own) check_known(dictionary, folder + "/known.txt", most, &result);

  uint64_t checksum = 0, first_checksum = 0, linked = 0;
  Stopwatch watch;
  for (uint64_t round = 0; round < rounds; ++round) {
    checksum = 14695981039346656037u;
    linked = 0;
    for (const std::string& text : sentences) {
      parser_parse(dictionary, text.c_str(), most, &result);
      checksum = mixed(checksum, result);
      linked += result.linkages > 0;
      if (print && round == 0) {
        std::printf("%" PRIu64 " | %s | %s\n", result.linkages, text.c_str(), result.links);
      }
    }
    if (round == 0) first_checksum = checksum;
    require(checksum == first_checksum, PARSER_VARIANT, "the same sentences parsed differently");
  }
  const double total = watch.lap();
  std::printf("sentences %zu linked %" PRIu64 " checksum %016" PRIx64 "\n", sentences.size(),
              linked, checksum);
  std::fflush(stdout);

  Report report(PARSER_VARIANT);
  report.add("total_s", total, "s");
  return report.finish();
}
