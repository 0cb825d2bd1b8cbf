#include "CSwiftMetadata.h"
