// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/Names.h"

namespace kinetoscope::import::database {

Result<bool> Names::read(const sqlite::Database& database, const Table* table, std::string_view id,
                         std::string_view text) {
    if (table == nullptr) {
        return true;
    }
    auto rows = Rows::all(database, *table, {id, text});
    if (!rows) {
        return false;
    }
    for (;;) {
        const auto more = rows->next();
        if (!more && more.error().kind != ErrorKind::BadInput) {
            return tl::unexpected(more.error());
        }
        if (!more || !*more) {
            return more.has_value();
        }
        set(rows->integer(0), rows->text(1));
    }
}

std::optional<std::string_view> Names::find(std::int64_t id) const {
    const auto found = m_ids.find(id);
    return found == m_ids.end() ? std::nullopt : std::optional(m_texts.view(found->second));
}

void Names::set(std::int64_t id, std::string_view text) {
    m_ids[id] = m_texts.intern(text);
}

}  // namespace kinetoscope::import::database
