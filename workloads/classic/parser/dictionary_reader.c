// This reads a dictionary:
// - # a comment, to the end of the line
// - <name> = expression ;          a part of other expressions, by its name
// - word word.kind ... : expression ;
//
// An expression is made of these, and of brackets:
// - `Name+`, `Name-`: connectors, with a `@` in front if they may link more than once
// - `a & b`: both, the nearer link first
// - `a | b`: either; it binds less
// - `{a}`: a or nothing
// - `[a]`: as a, but at a cost of 1
// - `<name>`: the expression of that name
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classic/parser/dictionary_build.h"

struct Part {
  const char* name;
  size_t length;
  struct Expression* expression;
  struct Part* next;
};

struct Reader {
  struct Dictionary* dictionary;
  const char* path;
  const char* at;
  int line;
  int depth;
  struct Part* parts;
};

static void wrong(const struct Reader* reader, const char* what, const char* word, size_t length)
    __attribute__((noreturn));
static void wrong(const struct Reader* reader, const char* what, const char* word, size_t length) {
  parser_fail(kStatusBadInput, "%s:%d: %s%.*s", reader->path, reader->line, what, (int)length,
              word);
}

static bool is_letter(char c) { return c != '\0' && strchr(" \t\r\n#&|(){}[]<>:;=", c) == NULL; }

static void skip(struct Reader* reader) {
  for (;; ++reader->at) {
    if (*reader->at == '#') reader->at += strcspn(reader->at, "\n");
    if (*reader->at == '\n') ++reader->line;
    if (*reader->at == '\0' || strchr(" \t\r\n", *reader->at) == NULL) return;
  }
}

static void take(struct Reader* reader, char expected) {
  skip(reader);
  if (*reader->at != expected) {
    const char what[] = {expected, '\0'};
    wrong(reader, "expected ", what, 1);
  }
  ++reader->at;
}

static size_t word_length(const struct Reader* reader) {
  size_t length = 0;
  while (is_letter(reader->at[length])) ++length;
  return length;
}

static struct Expression* make(enum ExpressionKind kind, struct Operand* operands) {
  struct Expression* expression = (struct Expression*)dictionary_memory(sizeof *expression);
  expression->kind = kind;
  expression->cost = 0;
  expression->type = NULL;
  expression->operands = operands;
  return expression;
}

static struct Operand* operand(struct Expression* expression, struct Operand* next) {
  struct Operand* made = (struct Operand*)dictionary_memory(sizeof *made);
  made->expression = expression;
  made->next = next;
  return made;
}

static struct Expression* read_connector(struct Reader* reader) {
  const char* word = reader->at;
  const size_t length = word_length(reader);
  const char* name = word + (*word == '@');
  const size_t bare = length - (size_t)(name - word) - (length > 0);
  const bool sound = length >= 2 && *name >= 'A' && *name <= 'Z' && bare >= 1;
  if (!sound || (name[bare] != '+' && name[bare] != '-')) {
    wrong(reader, "no connector: ", word, length);
  }
  for (size_t i = 0, small = 0; i < bare; ++i) {
    const bool capital = name[i] >= 'A' && name[i] <= 'Z';
    small += !capital;
    if ((capital && small > 0) ||
        (!capital && name[i] != '*' && (name[i] < 'a' || name[i] > 'z'))) {
      wrong(reader, "no connector: ", word, length);
    }
  }
  reader->at += length;
  struct Expression* expression = make(kConnector, NULL);
  expression->type =
      dictionary_type(reader->dictionary, name, bare, name[bare] == '+', *word == '@');
  return expression;
}

static struct Part* find_part(const struct Reader* reader, const char* name, size_t length) {
  struct Part* part = reader->parts;
  while (part != NULL && (part->length != length || memcmp(part->name, name, length) != 0)) {
    part = part->next;
  }
  return part;
}

static const char* read_name(struct Reader* reader, size_t* length) {
  take(reader, '<');
  const char* name = reader->at;
  *length = word_length(reader);
  reader->at += *length;
  take(reader, '>');
  return name;
}

static struct Expression* read_alternatives(struct Reader* reader);

static struct Expression* read_one(struct Reader* reader) {
  if (++reader->depth > 100) wrong(reader, "brackets too deep", "", 0);
  skip(reader);
  struct Expression* result = NULL;
  if (*reader->at == '(') {
    take(reader, '(');
    result = read_alternatives(reader);
    take(reader, ')');
  } else if (*reader->at == '{') {
    take(reader, '{');
    struct Expression* nothing = make(kAnd, NULL);
    result = make(kOr, operand(read_alternatives(reader), operand(nothing, NULL)));
    take(reader, '}');
  } else if (*reader->at == '[') {
    take(reader, '[');
    result = make(kAnd, operand(read_alternatives(reader), NULL));
    result->cost = 1;
    take(reader, ']');
  } else if (*reader->at == '<') {
    size_t length = 0;
    const char* name = read_name(reader, &length);
    const struct Part* part = find_part(reader, name, length);
    if (part == NULL) wrong(reader, "not defined: ", name, length);
    result = part->expression;
  } else {
    result = read_connector(reader);
  }
  --reader->depth;
  return result;
}

// Operands with `by` between them.
static struct Expression* read_list(struct Reader* reader, char by, enum ExpressionKind kind) {
  struct Expression* result = NULL;
  struct Operand** place = NULL;
  for (;;) {
    struct Expression* next = by == '|' ? read_list(reader, '&', kAnd) : read_one(reader);
    skip(reader);
    if (result == NULL && *reader->at != by) return next;
    if (result == NULL) {
      result = make(kind, NULL);
      place = &result->operands;
    }
    *place = operand(next, NULL);
    place = &(*place)->next;
    if (*reader->at != by) return result;
    ++reader->at;
  }
}

static struct Expression* read_alternatives(struct Reader* reader) {
  return read_list(reader, '|', kOr);
}

static void read_part(struct Reader* reader) {
  struct Part* part = (struct Part*)dictionary_memory(sizeof *part);
  part->name = read_name(reader, &part->length);
  if (find_part(reader, part->name, part->length) != NULL) {
    wrong(reader, "defined twice: ", part->name, part->length);
  }
  take(reader, '=');
  part->expression = read_alternatives(reader);
  take(reader, ';');
  part->next = reader->parts;
  reader->parts = part;
}

static void read_words(struct Reader* reader) {
  const char* words = reader->at;
  const int first_line = reader->line;
  while (*reader->at != ':') {
    const size_t length = word_length(reader);
    if (length == 0) wrong(reader, "expected a word", "", 0);
    reader->at += length;
    skip(reader);
  }
  const char* end = reader->at;
  take(reader, ':');
  struct Expression* expression = read_alternatives(reader);
  take(reader, ';');

  struct Reader again = *reader;
  again.at = words;
  again.line = first_line;
  for (skip(&again); again.at != end; skip(&again)) {
    const size_t length = word_length(&again);
    if (!dictionary_add(reader->dictionary, again.at, length, expression)) {
      wrong(&again, "a word twice: ", again.at, length);
    }
    again.at += length;
  }
}

static char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) parser_fail(kStatusBadInput, "cannot read the dictionary %s", path);
  size_t room = 1 << 16, length = 0;
  char* text = (char*)dictionary_memory(room);
  for (;;) {
    length += fread(text + length, 1, room - length - 1, file);
    if (length < room - 1) break;
    room *= 2;
    text = (char*)realloc(text, room);
    if (text == NULL) parser_fail(kStatusWrong, "no memory for the dictionary");
  }
  if (ferror(file)) parser_fail(kStatusBadInput, "cannot read the dictionary %s", path);
  fclose(file);
  text[length] = '\0';
  return text;
}

struct Dictionary* dictionary_read(const char* path) {
  char* text = read_file(path);
  struct Reader reader = {dictionary_begin(), path, text, 1, 0, NULL};
  for (skip(&reader); *reader.at != '\0'; skip(&reader)) {
    if (*reader.at == '<') {
      read_part(&reader);
    } else {
      read_words(&reader);
    }
  }
  if (reader.dictionary->entry_count == 0) wrong(&reader, "no words", "", 0);
  dictionary_end(reader.dictionary);
  while (reader.parts != NULL) {
    struct Part* next = reader.parts->next;
    free(reader.parts);
    reader.parts = next;
  }
  free(text);
  return reader.dictionary;
}
