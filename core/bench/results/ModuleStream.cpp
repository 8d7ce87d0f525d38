// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ModuleStream.h"

#include <algorithm>

#include "core/bench/results/BenchJson.h"
#include "core/bench/results/JsonFields.h"

namespace kinetoscope::bench::results {

using namespace fields;

std::string modulePlanLine(const ModuleDocument& document) {
    const fields::Json json = fields::written(moduleDocumentJson(document));
    return fields::dump({{"event", "plan"}, {"document", json}}, -1);
}

std::string moduleStartLine(const std::string& group, const std::string& runner) {
    return fields::dump({{"event", "start"}, {"group", group}, {"name", runner}}, -1);
}

std::string moduleResultLine(const ModuleDocument& document, const ModuleGroup& group,
                             const ModuleResult& runner) {
    return fields::dump(
        {{"event", "result"},
         {"group", group.key},
         {"runner", fields::written(moduleRunnerJson(group, runner))},
         {"device", document.device},
         {"torch", {{"version", document.torchVersion}, {"threads", document.threads}}},
         {"gpu", fields::written(gpuJson(document.gpu))}},
        -1);
}

ModuleStream::Change ModuleStream::take(std::string_view line) {
    const auto json = fields::jsonObject(line);
    const std::string event = json ? fields::text(*json, "event") : std::string();
    if (event == "plan") {
        auto document = parseModuleDocument(fields::dump(fields::object(*json, "document"), -1));
        if (!document) {
            return Change::None;
        }
        open(std::move(*document));
        return Change::Plan;
    }
    if (event == "start") {
        m_running = fields::text(*json, "group") + "/" + fields::text(*json, "name");
        return Change::Started;
    }
    if (event != "result") {
        return Change::None;
    }
    m_document.device = fields::text(*json, "device");
    m_document.torchVersion = fields::text(fields::object(*json, "torch"), "version");
    m_document.threads = fields::small(fields::object(*json, "torch"), "threads");
    m_document.gpu =
        parseGpu(fields::dump(fields::object(*json, "gpu"), -1)).value_or(GpuDescription());
    return takeResult(fields::dump(fields::object(*json, "runner"), -1),
                      fields::text(*json, "group"));
}

void ModuleStream::open(ModuleDocument document) {
    m_document = std::move(document);
    m_running.clear();
    m_done = 0;
}

ModuleStream::Change ModuleStream::takeResult(std::string_view runnerJson,
                                              const std::string& group) {
    auto runner = parseModuleRunner(runnerJson);
    const auto at = std::ranges::find(m_document.groups, group, &ModuleGroup::key);
    if (!runner || at == m_document.groups.end()) {
        return Change::None;
    }
    const auto place = std::ranges::find(at->runners, runner->name, &ModuleResult::name);
    if (place == at->runners.end()) {
        return Change::None;
    }
    *place = std::move(*runner);
    m_running.clear();
    ++m_done;
    return Change::Result;
}

}  // namespace kinetoscope::bench::results
