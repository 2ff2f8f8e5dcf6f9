#define FILE_NAME "a.graphml"
#include "tests/fuzz/import.h"
