/* apart.h -- no file is written over another that the same command line names. */
#pragma once

#include "graph/base/base.h"

/* `written`: names of files to be written; `word`: everything else, of which each word, and each piece behind ':', '='
 * or ',' that looks like a path, may name a file that is read. ERR_USAGE where two are the same regular file, by
 * whatever names. */
int files_apart(const char *const *written, size_t nwritten, const char *const *word, size_t nword, struct err *err);

/* ERR_USAGE where a word names a file of this folder, or by its way from there: elsewhere it would be another. */
int files_here(const char *const *word, size_t nword, struct err *err);

/* A note on standard error of each that has other names (hard links): they keep what it holds now (file.h). */
void files_note(const char *const *written, size_t nwritten);
