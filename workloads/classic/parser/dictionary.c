#include "classic/parser/dictionary.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "classic/parser/dictionary_build.h"

enum { kBuckets = 1 << 12 };

void* dictionary_memory(size_t bytes) {
  void* memory = malloc(bytes == 0 ? 1 : bytes);
  if (memory == NULL) parser_fail(kStatusWrong, "no memory for the dictionary");
  return memory;
}

char* dictionary_text(const char* from, size_t length) {
  char* text = (char*)dictionary_memory(length + 1);
  memcpy(text, from, length);
  text[length] = '\0';
  return text;
}

static size_t bucket_of(const char* spelling, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; ++i) hash = (hash ^ (unsigned char)spelling[i]) * 16777619u;
  return (hash ^ hash >> 15) & (kBuckets - 1);
}

struct Dictionary* dictionary_begin(void) {
  struct Dictionary* dictionary = (struct Dictionary*)dictionary_memory(sizeof *dictionary);
  memset(dictionary, 0, sizeof *dictionary);
  dictionary->bucket_count = kBuckets;
  dictionary->buckets = (struct Entry**)dictionary_memory(kBuckets * sizeof(struct Entry*));
  memset(dictionary->buckets, 0, kBuckets * sizeof(struct Entry*));
  return dictionary;
}

static size_t capitals(const char* name) {
  size_t count = 0;
  while (name[count] >= 'A' && name[count] <= 'Z') ++count;
  return count;
}

static bool same_head(const struct ConnectorType* a, const struct ConnectorType* b) {
  const size_t length = capitals(a->name);
  return length == capitals(b->name) && memcmp(a->name, b->name, length) == 0;
}

const struct ConnectorType* dictionary_type(struct Dictionary* dictionary, const char* name,
                                            size_t length, bool right, bool multi) {
  for (unsigned i = 0; i < dictionary->type_count; ++i) {
    struct ConnectorType* type = dictionary->types[i];
    if (type->right == right && type->multi == multi && strlen(type->name) == length &&
        memcmp(type->name, name, length) == 0) {
      return type;
    }
  }
  struct ConnectorType* type = (struct ConnectorType*)dictionary_memory(sizeof *type);
  type->name = dictionary_text(name, length);
  type->id = dictionary->type_count;
  type->right = right;
  type->multi = multi;
  type->head = dictionary->head_count;
  for (unsigned i = 0; i < dictionary->type_count; ++i) {
    if (same_head(dictionary->types[i], type)) type->head = dictionary->types[i]->head;
  }
  if (type->head == dictionary->head_count) ++dictionary->head_count;
  const size_t bytes = (dictionary->type_count + 1) * sizeof(struct ConnectorType*);
  dictionary->types = (struct ConnectorType**)realloc(dictionary->types, bytes);
  if (dictionary->types == NULL) parser_fail(kStatusWrong, "no memory for the dictionary");
  dictionary->types[dictionary->type_count++] = type;
  return type;
}

bool dictionary_add(struct Dictionary* dictionary, const char* word, size_t length,
                    struct Expression* expression) {
  size_t spelling = 0;
  // A dot in front, or alone, is the punctuation.
  while (spelling < length && (word[spelling] != '.' || spelling == 0)) ++spelling;
  const size_t bucket = bucket_of(word, spelling);
  struct Entry** place = &dictionary->buckets[bucket];
  while (*place != NULL) {
    if (strlen((*place)->word) == length && memcmp((*place)->word, word, length) == 0) return false;
    place = &(*place)->next;
  }
  struct Entry* entry = (struct Entry*)dictionary_memory(sizeof *entry);
  entry->word = dictionary_text(word, length);
  entry->spelling = spelling;
  entry->expression = expression;
  entry->next = NULL;
  *place = entry;
  ++dictionary->entry_count;
  return true;
}

static bool tails_match(const char* a, const char* b) {
  for (; *a != '\0' && *b != '\0'; ++a, ++b) {
    if (*a != *b && *a != '*' && *b != '*') return false;
  }
  return true;
}

void dictionary_end(struct Dictionary* dictionary) {
  const unsigned count = dictionary->type_count;
  dictionary->matches = (bool*)dictionary_memory((size_t)count * count * sizeof(bool));
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned j = 0; j < count; ++j) {
      const struct ConnectorType* right = dictionary->types[i];
      const struct ConnectorType* left = dictionary->types[j];
      dictionary->matches[i * count + j] =
          right->right && !left->right && right->head == left->head &&
          tails_match(right->name + capitals(right->name), left->name + capitals(left->name));
    }
  }
}

static const struct Entry* first_of(const struct Entry* entry, const char* spelling,
                                    size_t length) {
  while (entry != NULL &&
         (entry->spelling != length || memcmp(entry->word, spelling, length) != 0)) {
    entry = entry->next;
  }
  return entry;
}

const struct Entry* dictionary_find(const struct Dictionary* dictionary, const char* spelling,
                                    size_t length) {
  return first_of(dictionary->buckets[bucket_of(spelling, length)], spelling, length);
}

const struct Entry* dictionary_next(const struct Entry* entry) {
  return first_of(entry->next, entry->word, entry->spelling);
}
