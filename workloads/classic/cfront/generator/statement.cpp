// Statements that end: loops count, and no function calls one that calls back.
#include "classic/cfront/generator/program.h"

namespace mmt::workloads::cfront {

namespace {

const std::vector<std::string> kTypes = {"int", "unsigned", "long", "unsigned long", "count_t"};
const std::vector<std::string> kAssignments = {"=", "=", "+=", "-=", "^=", "|=", "*="};

void open(Writer& writer, const std::string& what) {
  writer.line(what.empty() ? "{" : what + " {");
  ++writer.indent;
}

void close(Writer& writer, const std::string& what = "") {
  --writer.indent;
  writer.line("}" + what);
}

// Something that can be assigned to.
std::string place(Writer& writer) {
  if (writer.chance(25)) {
    return writer.pick(writer.arrays) + "[(" + expression(writer, 1) + ") & 15]";
  }
  if (writer.chance(20)) return writer.pick(writer.structs) + "." + writer.pick(writer.fields);
  for (int tries = 0; tries < 10; ++tries) {
    const Variable& variable = writer.pick(writer.variables);
    if (variable.is_written_to) return variable.name;
  }
  return writer.pick(writer.structs) + "." + writer.pick(writer.fields);
}

void assignment(Writer& writer) {
  const std::string to = place(writer);
  if (writer.chance(10)) {
    writer.line((writer.chance(50) ? "++" : "--") + to + ";");
  } else {
    writer.line(to + " " + writer.pick(kAssignments) + " " + expression(writer, 3) + ";");
  }
}

// This declares a variable in a block whose first variable is number `outer`. Now and then the
// variable hides another.
void declaration(Writer& writer, size_t outer) {
  const std::string type = writer.pick(kTypes);
  if (writer.chance(30)) {
    const std::string name = writer.variables[writer.rng.below(outer)].name;
    // What it is made from must not be itself.
    writer.line(type + " " + name + " = " + std::to_string(writer.rng.below(1000)) + ";");
    writer.variables.push_back({name, true});
  } else {
    const std::string name = fresh_name(writer);
    writer.line(type + " " + name + " = " + expression(writer, 2) + ";");
    writer.variables.push_back({name, true});
  }
}

void inner(Writer& writer, int depth, int loops) {
  const size_t outer = writer.variables.size();
  if (writer.chance(60)) declaration(writer, outer);
  statements(writer, 1 + static_cast<int>(writer.rng.below(3)), depth - 1, loops);
  writer.variables.resize(outer);
}

void loop(Writer& writer, int depth, int loops) {
  const std::string counter = fresh_name(writer);
  const std::string most = std::to_string(2 + writer.rng.below(6));
  const size_t outer = writer.variables.size();
  const uint64_t way = writer.rng.below(3);
  if (way == 0) {
    open(writer,
         "for (int " + counter + " = 0; " + counter + " < " + most + "; ++" + counter + ")");
    writer.variables.push_back({counter, false});
    inner(writer, depth, loops + 1);
    if (writer.chance(30)) writer.line("if (" + expression(writer, 1) + ") continue;");
    assignment(writer);
    close(writer);
  } else {
    open(writer, "");
    writer.line("int " + counter + " = " + most + ";");
    writer.variables.push_back({counter, false});
    open(writer, way == 1 ? "while (" + counter + "-- > 0)" : "do");
    inner(writer, depth, loops + 1);
    if (writer.chance(30)) writer.line("if (" + expression(writer, 1) + ") break;");
    close(writer, way == 1 ? "" : " while (--" + counter + " > 0);");
    close(writer);
  }
  writer.variables.resize(outer);
}

void choice(Writer& writer, int depth, int loops) {
  open(writer, "switch ((int)(" + expression(writer, 2) + ") & 7)");
  for (int number = 0; number < 5; ++number) {
    writer.line("case " + std::to_string(number) + ":");
    open(writer, "");
    inner(writer, depth, loops);
    close(writer);
    if (writer.chance(80)) writer.line("break;");
  }
  writer.line("default:");
  assignment(writer);
  close(writer);
}

void walk(Writer& writer) {
  const std::string pointer = fresh_name(writer);
  const std::string array = writer.pick(writer.arrays);
  open(writer, "");
  writer.line("long* " + pointer + " = " + array + ";");
  writer.line("while (" + pointer + " < " + array + " + 16) *" + pointer +
              "++ ^= " + expression(writer, 1) + ";");
  close(writer);
}

void condition(Writer& writer, int depth, int loops) {
  open(writer, "if (" + expression(writer, 2) + ")");
  inner(writer, depth, loops);
  if (writer.chance(50)) {
    close(writer, " else {");
    ++writer.indent;
    inner(writer, depth, loops);
  }
  close(writer);
}

}  // namespace

void statements(Writer& writer, int count, int depth, int loops) {
  for (int i = 0; i < count; ++i) {
    const uint64_t dice = writer.rng.below(100);
    if (depth > 0 && dice < 15) {
      condition(writer, depth, loops);
    } else if (depth > 0 && dice < 25 && loops < 2) {
      loop(writer, depth, loops);
    } else if (depth > 0 && dice < 29) {
      choice(writer, depth, loops);
    } else if (dice < 33) {
      walk(writer);
    } else if (dice < 45 && loops == 0 && !writer.leaves.empty()) {
      // What is added to must be nothing that the function changes.
      writer.line("result += " + writer.pick(writer.leaves) + "(" + expression(writer, 2) + ", " +
                  expression(writer, 1) + ", " + expression(writer, 1) + ");");
    } else {
      assignment(writer);
    }
  }
}

}  // namespace mmt::workloads::cfront
