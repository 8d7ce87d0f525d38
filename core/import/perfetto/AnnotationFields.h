// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kinetoscope::import::perfetto {

// Numbers of DebugAnnotation's values, in the order of its types.
enum AnnotationField : std::uint32_t {
    NameIdField = 1,
    BoolField = 2,
    UnsignedField = 3,
    IntegerField = 4,
    RealField = 5,
    TextField = 6,
    PointerField = 7,
    JsonField = 9,
    NameField = 10,
    DictionaryField = 11,
    ArrayField = 12,
    TextIdField = 17,
};

}  // namespace kinetoscope::import::perfetto
