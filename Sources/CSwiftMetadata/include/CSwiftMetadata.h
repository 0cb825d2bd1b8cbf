#ifndef C_SWIFT_METADATA_H
#define C_SWIFT_METADATA_H

#include <stdbool.h>

/// Calls `body` with the metadata of every class of the process that has a Swift superclass and is not
/// generic, image by image. `body` returns false to end the walk.
///
/// Reads the `swift5_type_metadata` section of each loaded image, as the Swift runtime itself does; the
/// metadata of a class is made on the way where the program has not used it yet.
void firn_enumerate_subclasses(bool (*_Nonnull body)(const void *_Nonnull metadata, void *_Nullable context),
                               void *_Nullable context);

#endif
