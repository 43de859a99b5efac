// From text to words, each with copies of what the dictionary says about it.
#include <string.h>

#include "classic/parser/allocation.h"
#include "classic/parser/sentence.h"

static struct Node* copy_of(const struct Expression* expression) {
  struct Node* node = PARSER_NEW(struct Node);
  node->kind = expression->kind;
  node->cost = expression->cost;
  node->type = expression->type;
  node->first = NULL;
  node->next = NULL;
  struct Node** place = &node->first;
  for (const struct Operand* at = expression->operands; at != NULL; at = at->next) {
    *place = copy_of(at->expression);
    place = &(*place)->next;
  }
  return node;
}

void node_free(struct Node* node) {
  struct Node* at = node->first;
  while (at != NULL) {
    struct Node* next = at->next;
    node_free(at);
    at = next;
  }
  xfree(node);
}

static const struct Entry* find(const struct Sentence* sentence, const char* word, size_t length) {
  const struct Entry* entry = dictionary_find(sentence->dictionary, word, length);
  if (entry != NULL || *word < 'A' || *word > 'Z' || length >= kLongestSentence) return entry;
  // A capital that only begins the sentence.
  char small[kLongestSentence];
  memcpy(small, word, length);
  small[0] = (char)(small[0] - 'A' + 'a');
  return dictionary_find(sentence->dictionary, small, length);
}

static void add_word(struct Sentence* sentence, const char* word, size_t length) {
  if (sentence->count == kMostWords) {
    parser_fail(kStatusBadInput, "a sentence of more than %d words", kMostWords - 1);
  }
  const struct Entry* entry = find(sentence, word, length);
  if (entry == NULL) {
    parser_fail(kStatusBadInput, "not in the dictionary: '%.*s'", (int)length, word);
  }
  struct Choice** place = &sentence->choices[sentence->count++];
  for (; entry != NULL; entry = dictionary_next(entry)) {
    struct Choice* choice = PARSER_NEW(struct Choice);
    choice->expression = copy_of(entry->expression);
    choice->entry = entry;
    *place = choice;
    place = &choice->next;
  }
  *place = NULL;
}

void sentence_read(struct Sentence* sentence, const struct Dictionary* dictionary,
                   const char* text) {
  sentence->dictionary = dictionary;
  sentence->count = 0;
  add_word(sentence, "WALL", 4);
  while (*text != '\0') {
    const size_t gap = strspn(text, " \t\r\n");
    const size_t length = strcspn(text + gap, " \t\r\n.,?");
    text += gap;
    if (*text == '\0') return;
    add_word(sentence, text, length == 0 ? 1 : length);
    text += length == 0 ? 1 : length;
  }
}
