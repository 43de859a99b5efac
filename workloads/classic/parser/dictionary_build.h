// What the reader of a dictionary puts into it. For dictionary_reader.c only.
#pragma once

#include "classic/parser/dictionary.h"

// As malloc and realloc, but end the program when there is no memory.
PARSER_API void* dictionary_memory(size_t bytes);
PARSER_API char* dictionary_text(const char* from, size_t length);

PARSER_API struct Dictionary* dictionary_begin(void);
// The one type of that name and direction.
PARSER_API const struct ConnectorType* dictionary_type(struct Dictionary* dictionary,
                                                       const char* name, size_t length, bool right,
                                                       bool multi);
// False if there is such an entry already.
PARSER_API bool dictionary_add(struct Dictionary* dictionary, const char* word, size_t length,
                               struct Expression* expression);
// Computes what matches; nothing is added after that.
PARSER_API void dictionary_end(struct Dictionary* dictionary);
