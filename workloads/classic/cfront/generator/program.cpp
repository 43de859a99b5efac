#include "classic/cfront/generator/program.h"

namespace mmt::workloads::cfront {

namespace {

constexpr uint64_t kFunctionsOfModule = 20;

// The struct, constants and data of a module, which its functions use.
void declarations(Writer& writer, uint64_t module) {
  const std::string number = std::to_string(module);
  writer.arrays.clear();
  writer.structs.clear();
  writer.fields.clear();
  writer.constants = {"WORD_BITS", "LIMIT_" + number};
  writer.leaves.clear();
  writer.line("");
  writer.line("/* Module " + number + " */");
  writer.line("#define LIMIT_" + number + " (WORD_BITS * " + number + " + 3)");
  std::string names;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "kind_" + fresh_name(writer);
    writer.constants.push_back(name);
    names += (i == 0 ? " " : ", ") + name;
  }
  writer.line("enum kind_" + number + " {" + names + " };");
  writer.line("struct record_" + number + " {");
  for (const char* type : {"int", "unsigned", "long", "char", "unsigned short"}) {
    writer.fields.push_back(fresh_name(writer));
    writer.line("  " + std::string(type) + " " + writer.fields.back() + ";");
  }
  writer.line("  struct record_" + number + "* next;");
  writer.line("};");
  for (int i = 0; i < 2; ++i) {
    writer.structs.push_back(fresh_name(writer));
    writer.line("struct record_" + number + " " + writer.structs.back() + " = {" +
                std::to_string(writer.rng.below(1000)) + ", 7, " +
                std::to_string(writer.rng.below(1'000'000)) + "};");
  }
  for (int i = 0; i < 3; ++i) {
    writer.arrays.push_back(fresh_name(writer));
    std::string values;
    for (int j = 0; j < 16; ++j) values += std::to_string(writer.rng.below(100'000)) + ", ";
    writer.line("long " + writer.arrays.back() + "[16] = {" + values + "};");
  }
}

// long name(long, int, unsigned); a leaf calls no other one.
std::string function(Writer& writer, bool is_leaf) {
  const std::string name = "compute_" + fresh_name(writer);
  const std::vector<std::string> leaves = writer.leaves;
  const size_t structs = writer.structs.size(), arrays = writer.arrays.size();
  if (is_leaf) writer.leaves.clear();
  writer.variables = {{"first", true}, {"second", true}, {"third", true}};
  writer.line("");
  writer.line("// What " + name + " computes is nobody's business.");
  writer.line("static long " + name + "(long first, int second, unsigned third) {");
  ++writer.indent;
  writer.line("long result = 0;");
  writer.line("long local[16];");
  writer.line("for (int i = 0; i < 16; ++i) local[i] = first + i * second;");
  writer.variables.push_back({"result", true});
  writer.arrays.push_back("local");
  if (writer.chance(50)) {
    const std::string type = writer.structs.front();
    writer.line("char* text = \"" + name + "\";");
    writer.line("while (*text) result = result * 31 + *text++;");
  }
  statements(writer, 4 + static_cast<int>(writer.rng.below(5)), 3, 0);
  writer.line("return result + local[first & 15] + " + expression(writer, 2) + ";");
  --writer.indent;
  writer.line("}");
  writer.structs.resize(structs);
  writer.arrays.resize(arrays);
  writer.leaves = leaves;
  return name;
}

}  // namespace

std::string program(uint64_t seed, uint64_t functions) {
  Writer writer(seed);
  writer.line("// Made by chance, of seed " + std::to_string(seed) + ".");
  writer.line("extern void print(long number);");
  writer.line("#define WORD_BITS 64");
  writer.line("#define LARGER(a, b) ((a) > (b) ? (a) : (b))");
  writer.line("#define BOTH(a, b) ((a) + (b) * 3)");
  writer.line("#ifndef COUNT_T");
  writer.line("typedef unsigned count_t;");
  writer.line("#else");
  writer.line("typedef COUNT_T count_t;");
  writer.line("#endif");
  std::vector<std::string> names;
  for (uint64_t i = 0; i < functions; ++i) {
    if (i % kFunctionsOfModule == 0) declarations(writer, i / kFunctionsOfModule + 1);
    const bool is_leaf = i % 3 == 0;
    names.push_back(function(writer, is_leaf));
    if (is_leaf) writer.leaves.push_back(names.back());
  }
  writer.line("");
  writer.line("int main(void) {");
  writer.line("  long sum = 0;");
  for (size_t i = 0; i < names.size(); ++i) {
    writer.line("  sum = sum * 31 + " + names[i] + "(sum, " + std::to_string(i) + ", 77u);");
    if (i % 10 == 9) writer.line("  print(sum);");
  }
  writer.line("  print(sum);");
  writer.line("  return 0;");
  writer.line("}");
  return writer.text;
}

}  // namespace mmt::workloads::cfront
