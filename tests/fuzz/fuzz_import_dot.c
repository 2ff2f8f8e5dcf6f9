#define FILE_NAME "a.dot"
#include "tests/fuzz/import.h"
