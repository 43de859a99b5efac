#include "classic/cfront/front/data.h"

#include "classic/cfront/obstacks.h"

static struct DataItem* items;
static struct DataItem* settled;  // it, and all before it
static int64_t end;

void data_open(void) {
  items = settled = NULL;
  end = kDataBegins;
}

int64_t data_place(int size, int alignment) {
  const int64_t place = (end + alignment - 1) / alignment * alignment;
  end = place + size;
  if (end > kMostData) source_error("more than %d bytes of data", kMostData);
  return place;
}

static struct DataItem* new_item(int64_t address, int size, const char* bytes) {
  struct DataItem* item = NEW_IN(&permanent_obstack, struct DataItem);
  item->next = items;
  item->address = address;
  item->size = size;
  item->number = 0;
  item->bytes = bytes;
  item->is_settled = false;
  items = item;
  return item;
}

int64_t data_string(const char* bytes, int size) {
  const int64_t address = data_place(size, 1);
  new_item(address, size, bytes)->is_settled = true;
  return address;
}

void data_number(int64_t offset, int size, int64_t number) {
  new_item(offset, size, NULL)->number = number;
}

void data_bytes(int64_t offset, const char* bytes, int size) { new_item(offset, size, bytes); }

void data_settle(int64_t address) {
  // Strings lie among the values that point to them.
  for (struct DataItem* item = items; item != NULL && item != settled; item = item->next) {
    if (!item->is_settled) item->address += address;
    item->is_settled = true;
  }
  settled = items;
}

const struct DataItem* data_items(void) { return items; }
int64_t data_end(void) { return end; }
