// What PHKmalloc says to stderr: "prog in free(): warning: chunk is already free", and lines of its
// trace. One write(2) each; nothing allocates; errno stays. Any thread may call.
#pragma once

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/core/visible.h>

namespace mmt::layers {

struct PhkReport {
  static MMT_COLD void warning(const char* call, const char* problem) {
    say(call, "warning: ", problem);
  }
  [[noreturn]] static MMT_COLD void error(const char* call, const char* problem) {
    say(call, "error: ", problem);
    ::abort();
  }

  // call(a, b) = result, as far as these are given.
  struct Traced {
    const char* call;
    const void* block = nullptr;
    size_t bytes = SIZE_MAX;      // SIZE_MAX: none
    size_t alignment = SIZE_MAX;  // the same
    const void* result = nullptr;
    bool has_result = true;
  };
  static MMT_COLD void trace(const Traced& traced) {
    const int kept = errno;
    core::CheckLine line;
    line.text(Name(::program_invocation_short_name).c_str()).text(" ").text(traced.call).text("(");
    const char* between = "";
    if (traced.block != nullptr) {
      line.hex(reinterpret_cast<uintptr_t>(traced.block));
      between = ", ";
    }
    const size_t numbers[] = {traced.alignment, traced.bytes};
    for (const size_t number : numbers) {
      if (number == SIZE_MAX) continue;
      line.text(between).decimal(number);
      between = ", ";
    }
    line.text(")");
    if (traced.has_result) line.text(" = ").hex(reinterpret_cast<uintptr_t>(traced.result));
    line.write_to(STDERR_FILENO);
    errno = kept;
  }

 private:
  using Name = core::VisibleText<100>;

  static void say(const char* call, const char* kind, const char* problem) {
    const int kept = errno;
    core::CheckLine line;
    line.text(Name(::program_invocation_short_name).c_str())
        .text(" in ")
        .text(call)
        .text("(): ")
        .text(kind);
    line.text(problem).write_to(STDERR_FILENO);
    errno = kept;
  }
};

}  // namespace mmt::layers
