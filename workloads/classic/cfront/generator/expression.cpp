// Expressions without side effects, whose operands can have any value.
#include "classic/cfront/generator/program.h"

namespace mmt::workloads::cfront {

namespace {

const std::vector<std::string> kFirstWords = {
    "buffer", "token",  "symbol", "scope",  "index", "length", "offset",  "chunk",
    "object", "result", "state",  "column", "entry", "bucket", "pointer", "register"};
const std::vector<std::string> kSecondWords = {"count", "size",  "limit", "base",  "next", "value",
                                               "mask",  "depth", "total", "first", "last", "sum",
                                               "begin", "end",   "width", "number"};
const std::vector<std::string> kSums = {"+", "-", "*", "&", "|", "^"};
const std::vector<std::string> kComparisons = {"<", ">", "<=", ">=", "==", "!="};
const std::vector<std::string> kTypes = {"int", "unsigned", "long", "short", "unsigned char"};

std::string constant(Writer& writer) {
  switch (writer.rng.below(6)) {
    case 0:
      return "0x" + std::string(1, "123456789abcdef"[writer.rng.below(15)]) + "f";
    case 1:
      return std::to_string(writer.rng.below(1'000'000)) + "u";
    case 2:
      return "'" + std::string(1, static_cast<char>('a' + writer.rng.below(26))) + "'";
    default:
      return std::to_string(writer.rng.below(100));
  }
}

std::string leaf(Writer& writer) {
  const uint64_t dice = writer.rng.below(10);
  if (dice < 5 && !writer.variables.empty()) return writer.pick(writer.variables).name;
  if (dice < 6 && !writer.arrays.empty() && !writer.variables.empty()) {
    return writer.pick(writer.arrays) + "[" + writer.pick(writer.variables).name + " & 15]";
  }
  if (dice < 7 && !writer.structs.empty()) {
    return writer.pick(writer.structs) + "." + writer.pick(writer.fields);
  }
  if (dice < 8 && !writer.constants.empty()) return writer.pick(writer.constants);
  return constant(writer);
}

}  // namespace

std::string fresh_name(Writer& writer) {
  return writer.pick(kFirstWords) + "_" + writer.pick(kSecondWords) + "_" +
         std::to_string(writer.names++);
}

std::string expression(Writer& writer, int depth) {
  if (depth == 0 || writer.chance(15)) return leaf(writer);
  const std::string a = expression(writer, depth - 1);
  const std::string b = expression(writer, depth - 1);
  switch (writer.rng.below(12)) {
    case 0:
      return "(" + a + (writer.chance(50) ? " << (" : " >> (") + b + " & 7))";
    case 1:
      return "(" + a + (writer.chance(50) ? " / ((" : " % ((") + b + " & 15) + 1))";
    case 2:
      return "(" + a + " " + writer.pick(kComparisons) + " " + b + ")";
    case 3:
      return "(" + a + (writer.chance(50) ? " && " : " || ") + b + ")";
    case 4:
      return "(" + a + " ? " + b + " : " + leaf(writer) + ")";
    case 5:
      return "(" + writer.pick(kTypes) + ")" + a;
    case 6:
      return writer.chance(50) ? "BOTH(" + a + ", " + b + ")" : "LARGER(" + a + ", " + b + ")";
    case 7:
      return std::string(1, "-~!"[writer.rng.below(3)]) + "(" + a + ")";
    default:
      return "(" + a + " " + writer.pick(kSums) + " " + b + ")";
  }
}

}  // namespace mmt::workloads::cfront
