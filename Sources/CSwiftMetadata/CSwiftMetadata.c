#include "CSwiftMetadata.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The layouts below are Swift's ABI on ELF platforms: docs/ABI/TypeMetadata.rst and
// stdlib/public/runtime/SwiftRT-ELF-WASM.cpp in the Swift repository.

struct section_range {
    uintptr_t start;
    size_t length;
};

struct metadata_sections {
    uintptr_t version;
    const void *base_address;
    void *reserved[2];
    struct section_range protocols;
    struct section_range protocol_conformances;
    struct section_range type_metadata;
};

struct class_descriptor {
    uint32_t flags;
    int32_t parent;
    int32_t name;
    int32_t accessor;
    int32_t fields;
    int32_t superclass;
};

struct metadata_response {
    const void *metadata;
    size_t state;
};

typedef __attribute__((swiftcall)) struct metadata_response (*metadata_accessor)(size_t request);

extern void swift_enumerateAllMetadataSections(bool (*body)(const void *sections, void *context), void *context);

enum {
    kind_mask = 0x1f,
    kind_class = 16,
    flag_generic = 0x80,
    reference_mask = 3,
    reference_direct = 0,
    reference_indirect = 1,
};

struct walk {
    bool (*body)(const void *metadata, void *context);
    void *context;
};

static const void *resolve(const int32_t *relative, int32_t value) {
    return (const char *)relative + value;
}

static bool visit_image(const void *raw, void *context) {
    const struct metadata_sections *sections = raw;
    const struct walk *walk = context;
    const int32_t *records = (const int32_t *)sections->type_metadata.start;
    size_t count = sections->type_metadata.length / sizeof(int32_t);
    for (size_t i = 0; i < count; i++) {
        int32_t kind = records[i] & reference_mask;
        const struct class_descriptor *descriptor = resolve(&records[i], records[i] & ~reference_mask);
        if (kind == reference_indirect)
            descriptor = *(const struct class_descriptor *const *)descriptor;
        else if (kind != reference_direct)
            continue;
        if (descriptor == NULL || (descriptor->flags & kind_mask) != kind_class ||
            (descriptor->flags & flag_generic) != 0 || descriptor->superclass == 0 || descriptor->accessor == 0)
            continue;
        metadata_accessor accessor = (metadata_accessor)resolve(&descriptor->accessor, descriptor->accessor);
        const void *metadata = accessor(0).metadata;
        if (metadata != NULL && !walk->body(metadata, walk->context))
            return false;
    }
    return true;
}

void firn_enumerate_subclasses(bool (*body)(const void *metadata, void *context), void *context) {
    struct walk walk = {body, context};
    swift_enumerateAllMetadataSections(visit_image, &walk);
}

struct class_metadata {
    const void *kind;
    const struct class_metadata *superclass;
    uint32_t flags;
    uint32_t instance_address_point;
    uint32_t instance_size;
    uint16_t instance_alignment_mask;
    uint16_t reserved;
    uint32_t class_size;
    uint32_t class_address_point;
    const struct class_descriptor *descriptor;
};

struct field_record {
    uint32_t flags;
    int32_t type_name;
    int32_t name;
};

struct field_descriptor {
    int32_t type_name;
    int32_t superclass;
    uint16_t kind;
    uint16_t record_size;
    uint32_t count;
    struct field_record records[];
};

enum { field_is_variable = 2 };

bool firn_field_is_constant(const void *metadata, const char *name) {
    for (const struct class_metadata *class = metadata; class != NULL; class = class->superclass) {
        const struct class_descriptor *descriptor = class->descriptor;
        if (descriptor == NULL || descriptor->fields == 0)
            continue;
        const struct field_descriptor *fields = resolve(&descriptor->fields, descriptor->fields);
        for (uint32_t i = 0; i < fields->count; i++) {
            const struct field_record *field = &fields->records[i];
            if (strcmp(resolve(&field->name, field->name), name) == 0)
                return (field->flags & field_is_variable) == 0;
        }
    }
    return false;
}

extern void *swift_tryRetain(void *object);

bool firn_try_retain(void *object) {
    return swift_tryRetain(object) != NULL;
}
