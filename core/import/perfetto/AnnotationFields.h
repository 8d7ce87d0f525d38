// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kinetoscope::import::perfetto {

// Numbers of DebugAnnotation's values, in the order of its types.
enum AnnotationField : std::uint32_t {
    kNameId = 1,
    kBool = 2,
    kUnsigned = 3,
    kInteger = 4,
    kReal = 5,
    kText = 6,
    kPointer = 7,
    kJson = 9,
    kName = 10,
    kDictionary = 11,
    kArray = 12,
    kTextId = 17,
};

}  // namespace kinetoscope::import::perfetto
