/* The glossary: words that are nothing but text (term.text). */
#include "analysis/collective/cost.h"
#include "cli/help/catalogue.h"
#include "texts/term.h"

#define TERM(...) &(const struct entry){ __VA_ARGS__ },
static const struct entry *const term[] = { TERM_TEXTS(TERM) NULL };

const struct kind kind_term = { .name = "term", .what = "word", .rank = 30, .apart = true, .entry = term };
