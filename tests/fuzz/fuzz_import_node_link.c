#define FILE_NAME "a.json"
#include "tests/fuzz/import.h"
