// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/MakeInflater.h"

#include "core/import/source/ZlibInflater.h"
#ifdef KINETOSCOPE_ISAL
#include "core/import/source/IsalInflater.h"
#endif

namespace kinetoscope::import::source {

std::unique_ptr<Inflater> makeInflater([[maybe_unused]] GzipLibrary library) {
#ifdef KINETOSCOPE_ISAL
    if (library == GzipLibrary::IsaL) {
        return std::make_unique<IsalInflater>();
    }
#endif
    return std::make_unique<ZlibInflater>();
}

}  // namespace kinetoscope::import::source
