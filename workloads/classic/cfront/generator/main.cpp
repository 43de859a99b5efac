// cfront_generate: writes the program that cfront compiles, by chance but the same for each seed.
#include <cstdio>

#include "classic/cfront/generator/program.h"
#include "common/flags.h"

int main(int argc, char** argv) {
  using namespace mmt::workloads;
  Flags flags("cfront_generate", argc, argv);
  const uint64_t seed = flags.number("seed", 1);
  const uint64_t functions = flags.number("functions", 1000);
  const std::string path(flags.text("output", ""));
  flags.finish();
  if (functions == 0 || path.empty()) {
    std::fprintf(stderr, "cfront_generate: wants --output FILE, and a function at least\n");
    return 2;
  }
  const std::string text = cfront::program(seed, functions);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool fine =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !fine) {
    std::fprintf(stderr, "cfront_generate: cannot write %s\n", path.c_str());
    return 1;
  }
  return 0;
}
