#ifndef C_SWIFT_METADATA_H
#define C_SWIFT_METADATA_H
#endif
