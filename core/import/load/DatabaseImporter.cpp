// SPDX-License-Identifier: Apache-2.0
#include "core/import/load/DatabaseImporter.h"

#include <array>

#include "core/import/database/DatabaseFormat.h"
#include "core/import/nsys/NsysFormat.h"
#include "core/import/rocm/RocpdFormat.h"
#include "core/import/rocm/RpdFormat.h"
#include "core/sqlite/Database.h"

namespace kinetoscope::import {

bool DatabaseImporter::recognises(std::string_view head) const {
    return sqlite::isDatabase(head);
}

Result<std::shared_ptr<const trace::Trace>> DatabaseImporter::read(ImportInput& input) const {
    static const nsys::NsysFormat nsys;
    static const rocm::RocpdFormat rocpd;
    static const rocm::RpdFormat rpd;
    static const std::array<const database::DatabaseFormat*, 3> formats{&nsys, &rocpd, &rpd};
    return database::readDatabase(input, formats);
}

}  // namespace kinetoscope::import
