// SPDX-License-Identifier: Apache-2.0
#include "core/import/TextSource.h"

#include <fmt/format.h>

#include <array>

#include "core/import/GzipSource.h"
#include "core/import/PlainSource.h"
#include "core/import/ZstdSource.h"

namespace kinetoscope {

Result<std::unique_ptr<TextSource>> openTextSource(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if ((*file)->identity().bytes == 0) {
        return fail(fmt::format("'{}' is empty", path));
    }
    std::array<char, 4> head{};
    if ((*file)->read(head.data(), head.size(), 0) < 0) {
        return fail(fmt::format("'{}' cannot be read", path));
    }
    const std::string_view magic(head.data(), head.size());
    if (magic.starts_with("\x1f\x8b")) {
        return std::make_unique<GzipSource>(std::move(*file));
    }
    if (magic == "\x28\xb5\x2f\xfd") {
        return std::make_unique<ZstdSource>(std::move(*file));
    }
    return std::make_unique<PlainSource>(std::move(*file));
}

}  // namespace kinetoscope
