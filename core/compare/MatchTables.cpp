// SPDX-License-Identifier: Apache-2.0
#include "core/compare/MatchTables.h"

#include <unordered_map>

#include "core/base/Format.h"
#include "core/compare/MatchRules.h"

namespace kinetoscope {

namespace {

struct NameKeys {
    NameId name;
    NameId normalised;
    NameId stripped;
    NameId op;
};

// Everything that depends on a name alone, once for each name of a trace.
class NameTable {
public:
    NameTable(const Trace& trace, StringPool& pool) : m_trace(trace), m_pool(pool) {}

    const NameKeys& of(NameId id) {
        const auto [entry, isNew] = m_keys.try_emplace(id);
        if (isNew) {
            const std::string_view text = m_trace.text(id);
            const std::string normalised = MatchRules::builtin().normalised(text);
            // An operator "triton_poi_fused_add_3" is a kernel's name; others are no C++ names.
            const bool isTriton = text.starts_with("triton_");
            entry->second = {m_pool.intern(text), m_pool.intern(normalised),
                             m_pool.intern(shortKernelName(normalised)),
                             m_pool.intern(isTriton ? std::string_view(normalised) : text)};
        }
        return entry->second;
    }

private:
    const Trace& m_trace;
    StringPool& m_pool;
    std::unordered_map<NameId, NameKeys> m_keys;
};

bool fillKeys(const ComparedRun& run, const InputShapes& shapes, StringPool& pool,
              LaunchKeys& keys) {
    NameTable names(*run.trace, pool);
    bool hasOperators = false;
    for (const KernelLaunch& launch : run.launches) {
        const NameKeys& kernel = names.of(run.trace->nameId(launch.slice));
        keys.name.push_back(kernel.name);
        keys.normalised.push_back(kernel.normalised);
        keys.stripped.push_back(kernel.stripped);
        NameId op = kEmptyName;
        NameId inputs = kEmptyName;
        if (launch.launcher != kNoSlice) {
            op = names.of(run.trace->nameId(launch.launcher)).op;
            if (const auto found = shapes.find(launch.launcher); found != shapes.end()) {
                inputs = pool.intern(found->second);
            }
            hasOperators = true;
        }
        keys.op.push_back(op);
        keys.shapes.push_back(inputs);
    }
    return hasOperators;
}

}  // namespace

MatchTables makeMatchTables(const ComparedRun& base, const ComparedRun& candidate,
                            const BothShapes& shapes) {
    MatchTables tables;
    const bool ofBase = fillKeys(base, shapes.base, tables.pool, tables.keys.base);
    const bool ofCandidate =
        fillKeys(candidate, shapes.candidate, tables.pool, tables.keys.candidate);
    tables.hasOperators = ofBase && ofCandidate;
    return tables;
}

}  // namespace kinetoscope
