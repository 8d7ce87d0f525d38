// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace kinetoscope::app {

/// The traces that lie in a folder itself, by name; empty when it looks like a compiler's cache,
/// whose folders hold JSON files too.
[[nodiscard]] QStringList tracesIn(const QString& folder);

}  // namespace kinetoscope::app
