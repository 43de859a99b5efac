#include "heaps/usage.h"

#include <cerrno>

namespace mmt::heaps {

struct mallinfo2 wide_info(const layers::Usage& usage) {
  struct mallinfo2 info {};
  info.arena = usage.system_bytes;
  info.ordblks = usage.free_blocks;
  info.hblks = usage.mapped_blocks;
  info.hblkhd = usage.mapped_bytes;
  info.uordblks = usage.system_bytes - usage.free_bytes;
  info.fordblks = usage.free_bytes;
  return info;
}

int write_xml(FILE* stream, const struct mallinfo2& info) {
  fprintf(stream,
          "<malloc version=\"1\">\n<heap nr=\"0\">\n<sizes>\n</sizes>\n"
          "<total type=\"fast\" count=\"0\" size=\"0\"/>\n"
          "<total type=\"rest\" count=\"%zu\" size=\"%zu\"/>\n"
          "<system type=\"current\" size=\"%zu\"/>\n</heap>\n"
          "<total type=\"fast\" count=\"0\" size=\"0\"/>\n"
          "<total type=\"rest\" count=\"%zu\" size=\"%zu\"/>\n"
          "<total type=\"mmap\" count=\"%zu\" size=\"%zu\"/>\n"
          "<system type=\"current\" size=\"%zu\"/>\n</malloc>\n",
          info.ordblks, info.fordblks, info.arena, info.ordblks, info.fordblks, info.hblks,
          info.hblkhd, info.arena);
  return ferror(stream) != 0 ? EIO : 0;
}

void write_stats(const struct mallinfo2& info) {
  fprintf(stderr,
          "Arena 0:\nsystem bytes     = %10zu\nin use bytes     = %10zu\n"
          "Total (incl. mmap):\nsystem bytes     = %10zu\nin use bytes     = %10zu\n"
          "max mmap regions = %10zu\nmax mmap bytes   = %10zu\n",
          info.arena, info.uordblks, info.arena + info.hblkhd, info.uordblks + info.hblkhd,
          info.hblks, info.hblkhd);
}

}  // namespace mmt::heaps
