// The static data of a unit: addresses, and what lies there at the start.
#pragma once

#include "classic/cfront/front/type.h"

enum { kDataBegins = 4096, kMostData = 1 << 26 };

struct DataItem {
  struct DataItem* next;
  int64_t address;
  int size;  // of the number; or of the bytes
  int64_t number;
  const char* bytes;  // or null
  bool is_settled;
};

CFRONT_API void data_open(void);
CFRONT_API int64_t data_place(int size, int alignment);
CFRONT_API int64_t data_string(const char* bytes, int size);
// The place of what is initialised is known when its values are, which is when its size is known.
// The offsets of all that came since are turned into addresses then.
CFRONT_API void data_number(int64_t offset, int size, int64_t number);
CFRONT_API void data_bytes(int64_t offset, const char* bytes, int size);
CFRONT_API void data_settle(int64_t address);
CFRONT_API const struct DataItem* data_items(void);
CFRONT_API int64_t data_end(void);
