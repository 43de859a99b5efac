// cfront_generate: writes the program that cfront compiles, by chance but the same for each seed.
// Where the file's name ends with ".zst", it is packed.
#include <zstd.h>

#include <cstdio>
#include <string>

#include "classic/cfront/generator/program.h"
#include "classic/cfront/source_text.h"
#include "common/flags.h"

namespace {

constexpr int kLevel = 19;

// Empty: there was no memory.
std::string packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, mmt::workloads::kWindowBits);
  const size_t bytes = ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  out.resize(ZSTD_isError(bytes) == 0 ? bytes : 0);
  return out;
}

}  // namespace

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
  std::string text = cfront::program(seed, functions);
  if (path.ends_with(".zst")) text = packed(text);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool fine = !text.empty() && file != nullptr &&
                    std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !fine) {
    std::fprintf(stderr, "cfront_generate: cannot write %s\n", path.c_str());
    return 1;
  }
  return 0;
}
