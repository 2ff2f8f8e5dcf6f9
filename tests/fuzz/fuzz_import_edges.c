#define FILE_NAME "a.edges"
#include "tests/fuzz/import.h"
