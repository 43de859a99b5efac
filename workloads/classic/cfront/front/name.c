// The table of names; each name is there once.
#include <string.h>

#include "classic/cfront/front/token.h"
#include "classic/cfront/obstacks.h"

enum { kBuckets = 1 << 14 };

static struct Name* buckets[kBuckets];

static const char* const kKeywords[] = {
    "break",  "case",   "char",   "const",   "continue", "default", "do",    "else",   "enum",
    "extern", "for",    "if",     "int",     "long",     "return",  "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "unsigned", "void",    "while",
};

struct Name* name_of(char* text, int length) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < length; ++i) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  struct Name** bucket = &buckets[(hash ^ hash >> 16) % kBuckets];
  for (struct Name* name = *bucket; name != NULL; name = name->next) {
    if (name->length == length && memcmp(name->text, text, (size_t)length) == 0) {
      obstack_free(&permanent_obstack, text);
      return name;
    }
  }
  struct Name* name = NEW_IN(&permanent_obstack, struct Name);
  memset(name, 0, sizeof *name);
  name->text = text;
  name->length = length;
  name->token = kTokenName;
  name->next = *bucket;
  *bucket = name;
  return name;
}

void names_open(void) {
  memset(buckets, 0, sizeof buckets);
  const int count = (int)(sizeof kKeywords / sizeof kKeywords[0]);
  for (int i = 0; i < count; ++i) {
    const int length = (int)strlen(kKeywords[i]);
    char* text = (char*)obstack_copy0(&permanent_obstack, kKeywords[i], length);
    name_of(text, length)->token = kTokenFirstKeyword + i;
  }
}
