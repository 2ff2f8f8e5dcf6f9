#define FILE_NAME "a.gml"
#include "tests/fuzz/import.h"
