// SPDX-License-Identifier: Apache-2.0
// The fuzzers without libFuzzer, for every compiler: each meets its seeds and damaged ones.
//     fuzz_replay CORPUS [NAME…]    KINETOSCOPE_MUTATIONS: damaged ones of each fuzzer (400)
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/Require.h"
#include "tests/support/DatabaseMutator.h"
#include "tests/support/JsonMutator.h"
#include "tests/support/Mutator.h"
#include "tests/support/WireMutator.h"

namespace fs = std::filesystem;

#define KINETOSCOPE_FUZZER(name, mutator) \
    extern "C" int name(const std::uint8_t* data, std::size_t size);
#include "fuzzers.inc"
#undef KINETOSCOPE_FUZZER

namespace {

struct Fuzzer {
    const char* name;
    int (*run)(const std::uint8_t* data, std::size_t size);
    std::string (*change)(std::uint64_t seed, const std::string& bytes, const std::string& other);
};

template <class PartMutator>
std::string changed(std::uint64_t seed, const std::string& bytes, const std::string& other) {
    return PartMutator(seed).change(bytes, other);
}

constexpr Fuzzer kFuzzers[] = {
#define KINETOSCOPE_FUZZER(name, mutator) {#name, name, changed<kinetoscope::test::mutator>},
#include "fuzzers.inc"
#undef KINETOSCOPE_FUZZER
};

void run(const Fuzzer& fuzzer, const std::string& bytes) {
    (void)fuzzer.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::vector<std::string> seedsOf(const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    std::vector<std::string> seeds;
    for (const fs::path& path : paths) {
        std::ifstream file(path, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return seeds;
}

void replay(const Fuzzer& fuzzer, const fs::path& corpus) {
    constexpr std::size_t kDamaged = 400;
    const std::vector<std::string> seeds = seedsOf(corpus / fuzzer.name);
    kinetoscope::test::require(!seeds.empty(), std::string("no seeds for ") + fuzzer.name);
    run(fuzzer, {});
    for (const std::string& seed : seeds) {
        run(fuzzer, seed);
    }
    kinetoscope::test::Mutator mutator(1);
    const std::size_t damaged = kinetoscope::test::mutations(kDamaged);
    for (std::size_t i = 0; i < damaged; ++i) {
        const std::string& seed = seeds[i % seeds.size()];
        const std::string& other = seeds[mutator.below(seeds.size())];
        const std::size_t way = mutator.below(3);
        const std::string bytes = way == 0   ? mutator.bytes(seed)
                                  : way == 1 ? mutator.json(seed)
                                             : fuzzer.change(i, seed, other);
        if (std::getenv("KINETOSCOPE_FUZZ_KEEP") != nullptr) {
            std::ofstream(std::getenv("KINETOSCOPE_FUZZ_KEEP"), std::ios::binary) << bytes;
        }
        run(fuzzer, bytes);
    }
    std::printf("%s: %zu seeds, %zu damaged\n", fuzzer.name, seeds.size(), damaged);
}

}  // namespace

int main(int count, char** words) {
    kinetoscope::test::require(count > 1, "fuzz_replay CORPUS [NAME…]");
    const std::vector<std::string> names(words + 2, words + count);
    for (const Fuzzer& fuzzer : kFuzzers) {
        if (names.empty() || std::ranges::find(names, fuzzer.name) != names.end()) {
            std::fflush(stdout);
            replay(fuzzer, words[1]);
        }
    }
    return 0;
}
