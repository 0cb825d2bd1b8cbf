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

/// Whether the stored property `name` of a class, or of the nearest superclass that has one so named, is a `let`.
bool firn_field_is_constant(const void *_Nonnull metadata, const char *_Nonnull name);

/// Retains a Swift object unless its last reference is gone, and returns whether it did. The object's memory must be
/// there: call it under a lock that the object's deinitialiser takes too.
///
/// The runtime's own `swift_tryRetain`. A weak reference would do the same, but makes every retain and release of the
/// object several times as expensive.
bool firn_try_retain(void *_Nonnull object);

/// Has the processor fetch the first 64 bytes of an object, which are about to be read and written. A hint, which may lead
/// anywhere.
static inline void firn_prefetch_object(const void *_Nonnull object) {
    __builtin_prefetch(object, 1);
    __builtin_prefetch((const char *)object + 63, 1);
}

#endif
