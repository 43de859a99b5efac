#include "classic/cfront/back/code.h"

#include <string.h>

#include "classic/cfront/obstacks.h"

enum { kSegment = 60 };

struct Segment {
  struct Segment* next;
  struct Instruction instructions[kSegment];
};

static struct Segment* first;
static struct Segment* last;
static int length;

void code_begin(void) {
  first = last = NEW_IN(&code_obstack, struct Segment);
  first->next = NULL;
  length = 0;
}

void code_append(const struct Instruction* instruction) {
  if (length > 0 && length % kSegment == 0) {
    last->next = NEW_IN(&code_obstack, struct Segment);
    last = last->next;
    last->next = NULL;
  }
  last->instructions[length++ % kSegment] = *instruction;
}

int code_length(void) { return length; }

void code_finish(struct Code* code) {
  code->count = length;
  code->instructions = NEW_ARRAY_IN(&code_obstack, struct Instruction, length);
  int at = 0;
  for (const struct Segment* segment = first; segment != NULL; segment = segment->next) {
    const int count = length - at < kSegment ? length - at : kSegment;
    memcpy(code->instructions + at, segment->instructions,
           (size_t)count * sizeof(struct Instruction));
    at += count;
  }
}
