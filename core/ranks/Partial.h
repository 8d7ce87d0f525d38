// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/Result.h"
#include "core/ranks/RankRecord.h"

namespace kinetoscope::ranks {

/// A file of the job that could not be used, and why.
struct LostFile {
    std::string file;
    std::string reason;
    std::string origin = {};  ///< see originOf(); empty: unknown

    friend bool operator==(const LostFile&, const LostFile&) = default;
    friend auto operator<=>(const LostFile& a, const LostFile& b) {
        return std::tie(a.file, a.origin, a.reason) <=> std::tie(b.file, b.origin, b.reason);
    }
};

/// "HOST:/PATH": where the file is, as each machine may have one of that path. Of this machine.
[[nodiscard]] std::string originOf(const std::string& file);

/// "'FILE': REASON", printable; most reasons already name the file.
[[nodiscard]] std::string messageOf(const LostFile& lost);

/// What a job needs of some of its ranks. Partials add up in any order.
struct Partial {
    std::vector<RankRecord> records;
    std::vector<LostFile> lost;
};

/// Ending of their files.
inline constexpr std::string_view kPartialEnding = ".ranks";

/// By rank; what is there twice and the same counts once, and a lost file of which a record of the
/// same origin is there after all is not lost. Fails when two different ones are of one rank.
[[nodiscard]] Result<void> putInOrder(Partial& partial);

/// Both files tell of one rank.
[[nodiscard]] tl::unexpected<Error> twoOfOneRank(const RankRecord& one, const RankRecord& other);

/// Both files are of one rank.
[[nodiscard]] Result<std::string> encodePartial(Partial partial);
[[nodiscard]] Result<Partial> decodePartial(std::string_view bytes);

/// Whether the file begins as a partial does.
[[nodiscard]] bool isPartial(const std::string& path);
/// Messages name the file.
[[nodiscard]] Result<Partial> readPartial(const std::string& path);
/// The file is there whole or not at all.
[[nodiscard]] Result<void> writePartial(const std::string& path, Partial partial);

}  // namespace kinetoscope::ranks
