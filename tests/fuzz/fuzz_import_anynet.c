#define FILE_NAME "a.anynet"
#include "tests/fuzz/import.h"
