#define FILE_NAME "a.adj"
#include "tests/fuzz/import.h"
