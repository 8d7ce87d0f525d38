// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "core/base/Threads.h"
#include "core/compare/InputShapes.h"
#include "core/compare/MatchRules.h"
#include "core/compare/MatchTables.h"

namespace kinetoscope::compare {

namespace {

// How well a launch fits to one of the other side. Sizes decide between kernels that name the same
// operator; a kernel of another size that names it is still better than none.
constexpr int kNamed = 10;
constexpr int kSameSize = 10;
constexpr int kOtherSize = -6;
// Two steps whose product of lengths is beyond this are cut into equal pieces first.
constexpr std::size_t kMaxSide = 2000;

/// Launches of one class match equally well.
struct PartClass {
    NameId name;
    NameId op;
    NameId shapes;
};

/// Launches of few kinds, numbered.
struct Classes {
    std::vector<PartClass> classes;
    std::vector<std::uint32_t> of;  ///< by part

    Classes(const LaunchKeys& keys, const std::vector<FusionPart>& parts) {
        std::map<std::tuple<NameId, NameId, NameId>, std::uint32_t> known;
        for (const FusionPart& part : parts) {
            const PartClass kind{keys.name[part.launch], keys.op[part.launch],
                                 keys.shapes[part.launch]};
            const auto [entry, isNew] = known.try_emplace(
                {kind.name, kind.op, kind.shapes}, static_cast<std::uint32_t>(classes.size()));
            if (isNew) {
                classes.push_back(kind);
            }
            of.push_back(entry->second);
        }
    }
};

// "add" is in "add_gelu" but not in "addmm", and a forward operator not in its "…_backward".
bool hasWord(std::string_view fused, std::string_view word) {
    for (std::size_t at = fused.find(word); at != std::string_view::npos;
         at = fused.find(word, at + 1)) {
        const std::string_view rest = fused.substr(at + word.size());
        const bool begins = at == 0 || fused[at - 1] == '_';
        const bool ends = rest.empty() || rest[0] == '_';
        if (begins && ends && !rest.starts_with("_backward")) {
            return true;
        }
    }
    return false;
}

std::set<std::string_view> wordsOf(std::string_view fused) {
    std::set<std::string_view> words;
    while (!fused.empty()) {
        const std::size_t end = fused.find('_');
        words.insert(fused.substr(0, end));
        fused = end == std::string_view::npos ? std::string_view{} : fused.substr(end + 1);
    }
    words.erase(std::string_view{});
    return words;
}

// Two compilers' cuts of the same work: half of the shorter name's words are in the longer one.
bool shareWords(std::string_view a, std::string_view b) {
    const auto left = wordsOf(a);
    const auto right = wordsOf(b);
    const auto shared = static_cast<std::size_t>(
        std::ranges::count_if(left, [&](std::string_view word) { return right.contains(word); }));
    return shared > 0 && 2 * shared >= std::min(left.size(), right.size());
}

// Whether a launch does the work of operator `part`.
bool doesWorkOf(const StringPool& pool, const PartClass& launch, NameId part) {
    if (part == kEmptyName) {
        return false;
    }
    if (part == launch.op) {
        return true;
    }
    const std::string_view fused = fusedPart(pool.view(launch.name));
    const std::string_view wanted = fusedPart(pool.view(part));
    if (!fused.empty() && !wanted.empty()) {
        return shareWords(fused, wanted);
    }
    const auto names = MatchRules::builtin().fusedNames(pool.view(part));
    return std::ranges::any_of(names, [&](const std::string& name) {
        return fused.empty()
                   ? launch.op != kEmptyName && name == plainOperator(pool.view(launch.op))
                   : hasWord(fused, name);
    });
}

// The largest input is what a kernel works through; small ones are shared by many.
int sizeScore(const StringPool& pool, const PartClass& fine, const PartClass& coarse) {
    const auto left = elementCounts(pool.view(fine.shapes));
    const auto right = elementCounts(pool.view(coarse.shapes));
    if (left.empty() || right.empty()) {
        return 0;
    }
    return std::ranges::binary_search(right, left.back()) ? kSameSize : kOtherSize;
}

int fitOf(const StringPool& pool, const PartClass& fine, const PartClass& coarse) {
    const bool related = doesWorkOf(pool, coarse, fine.op) || doesWorkOf(pool, fine, coarse.op);
    return related ? kNamed + sizeScore(pool, fine, coarse) : 0;
}

/// fitOf() for all kinds of both sides.
class Fits {
public:
    Fits(const StringPool& pool, const Classes& fine, const Classes& coarse)
        : m_width(coarse.classes.size()) {
        for (const PartClass& part : fine.classes) {
            for (const PartClass& whole : coarse.classes) {
                m_fits.push_back(fitOf(pool, part, whole));
            }
        }
    }
    [[nodiscard]] int of(std::uint32_t fine, std::uint32_t coarse) const {
        return m_fits[fine * m_width + coarse];
    }

private:
    std::size_t m_width;
    std::vector<int> m_fits;
};

// Best assignment that keeps the order: best(i, j) of the first i of `fine` and j of `coarse` skips
// one of either or gives the last of `fine` to the last of `coarse`, which stays open for others.
void assignPiece(const Fits& fits, std::span<const std::uint32_t> fine,
                 std::span<const std::uint32_t> coarse, std::uint32_t firstCoarse,
                 std::span<std::uint32_t> result) {
    const std::size_t width = coarse.size() + 1;
    std::vector<int> best((fine.size() + 1) * width, 0);
    std::vector<bool> taken(best.size(), false);
    for (std::size_t i = 1; i <= fine.size(); ++i) {
        for (std::size_t j = 1; j < width; ++j) {
            const int skip = std::max(best[(i - 1) * width + j], best[i * width + j - 1]);
            const int fit = fits.of(fine[i - 1], coarse[j - 1]);
            const int take = fit > 0 ? best[(i - 1) * width + j] + fit : 0;
            taken[i * width + j] = take > skip;
            best[i * width + j] = std::max(skip, take);
        }
    }
    std::size_t j = coarse.size();
    for (std::size_t i = fine.size(); i > 0 && j > 0;) {
        if (taken[i * width + j]) {
            result[i - 1] = firstCoarse + static_cast<std::uint32_t>(j - 1);
            --i;
        } else if (best[i * width + j] == best[i * width + j - 1]) {
            --j;
        } else {
            --i;
        }
    }
}

}  // namespace

std::vector<std::uint32_t> assignParts(const StringPool& pool, const LaunchKeys& fineKeys,
                                       const std::vector<FusionPart>& fine,
                                       const LaunchKeys& coarseKeys,
                                       const std::vector<FusionPart>& coarse,
                                       const std::stop_token& stop) {
    std::vector<std::uint32_t> result(fine.size(), kNoRow);
    const Classes fineClasses(fineKeys, fine);
    const Classes coarseClasses(coarseKeys, coarse);
    const Fits fits(pool, fineClasses, coarseClasses);
    for (std::size_t first = 0; first < fine.size();) {
        const std::uint64_t step = fine[first].step;
        const auto last = static_cast<std::size_t>(
            std::ranges::upper_bound(fine, step, {}, &FusionPart::step) - fine.begin());
        const auto range = std::ranges::equal_range(coarse, step, {}, &FusionPart::step);
        const auto begin = static_cast<std::size_t>(range.begin() - coarse.begin());
        const std::size_t pieces = std::max(last - first, range.size()) / kMaxSide + 1;
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            throwIfStopped(stop);
            const auto cut = [&](std::size_t at, std::size_t size) {
                const std::size_t from = size * piece / pieces;
                return std::pair(at + from, size * (piece + 1) / pieces - from);
            };
            const auto [fineAt, fineSize] = cut(first, last - first);
            const auto [coarseAt, coarseSize] = cut(begin, range.size());
            assignPiece(fits, std::span(fineClasses.of).subspan(fineAt, fineSize),
                        std::span(coarseClasses.of).subspan(coarseAt, coarseSize),
                        static_cast<std::uint32_t>(coarseAt),
                        std::span(result).subspan(fineAt, fineSize));
        }
        first = last;
    }
    return result;
}

}  // namespace kinetoscope::compare
