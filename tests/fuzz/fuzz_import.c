/* A file without an extension: what it is, its looks decide. */
#define FILE_NAME "a"
#include "tests/fuzz/import.h"
