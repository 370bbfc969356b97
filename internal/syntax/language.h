// The layout of a generated grammar: struct TSLanguage of tree_sitter/parser.h, which every grammar is compiled with. Versions 13 to
// 15 of it differ in how far it goes, not in where a member stands. TestDeclarationsAreTheCores holds it against the header.
#ifndef WF_LANGUAGE_H
#define WF_LANGUAGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t abi_version, symbol_count, alias_count, token_count, external_token_count, state_count, large_state_count;
  uint32_t production_id_count, field_count;
  uint16_t max_alias_sequence_length;
  // parse_table to lex_modes, then the two lexing functions: nothing here looks into them.
  const void *tables[13];
  bool (*lex_fns[2])(void *, uint16_t);
  uint16_t keyword_capture_token;
  struct {
    const bool *states;
    const uint16_t *symbol_map;
    void *(*create)(void);
    void (*destroy)(void *);
    bool (*scan)(void *, void *, const bool *);
    unsigned (*serialize)(void *, char *);
    void (*deserialize)(void *, const char *, unsigned);
  } external_scanner;
  const uint16_t *primary_state_ids; // since 14
  const char *name;                  // since 15, as all that follows
  const uint16_t *reserved_words;
  uint16_t max_reserved_word_set_size;
  uint32_t supertype_count;
  const void *supertypes[3];
  uint8_t metadata[3];
} wf_language;

#endif
