// SPDX-License-Identifier: Apache-2.0
#include "core/import/source/OpenTextSource.h"

#include <fmt/format.h>

#include <array>

#include "core/import/source/GzipSource.h"
#include "core/import/source/PlainSource.h"
#include "core/import/source/ZstdSource.h"

namespace kinetoscope::import::source {

Compression compressionOf(std::string_view head) {
    if (head.starts_with("\x1f\x8b")) {
        return Compression::Gzip;
    }
    // A zstd file may begin with frames that hold something else and are to be skipped: their first
    // byte is 0x50 to 0x5f.
    const bool skippable = !head.empty() && (static_cast<unsigned char>(head[0]) & 0xf0U) == 0x50 &&
                           head.substr(1).starts_with("\x2a\x4d\x18");
    return skippable || head.starts_with("\x28\xb5\x2f\xfd") ? Compression::Zstd
                                                             : Compression::None;
}

Result<std::unique_ptr<TextSource>> openTextSource(std::shared_ptr<const InputFile> file) {
    if (file->identity().bytes == 0) {
        return fail(fmt::format("'{}': is empty", file->path()));
    }
    std::array<char, 4> head{};
    if (file->read(head.data(), head.size(), 0) < 0) {
        return fail(fmt::format("'{}': cannot be read", file->path()));
    }
    switch (compressionOf({head.data(), head.size()})) {
        case Compression::Gzip:
            return std::make_unique<GzipSource>(std::move(file));
        case Compression::Zstd:
            return std::make_unique<ZstdSource>(std::move(file));
        case Compression::None:
            break;
    }
    return std::make_unique<PlainSource>(std::move(file));
}

Result<std::unique_ptr<TextSource>> openTextSource(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    return openTextSource(std::move(*file));
}

}  // namespace kinetoscope::import::source
