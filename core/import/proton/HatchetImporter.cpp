// SPDX-License-Identifier: Apache-2.0
#include "core/import/proton/HatchetImporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/Threads.h"
#include "core/import/chrome/WordedTrace.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/proton/Tree.h"
#include "core/import/wire/EventWords.h"

namespace kinetoscope::import::proton {

namespace {

// Beyond so many launches every kernel of a scope is one slice of its whole time.
constexpr std::int64_t kMaxLaunches = 500'000;
constexpr std::size_t kMaxPartWords = 256U << 20;  // of all those launches
constexpr std::size_t kWordsOfLaunch = 256;        // beside its name and metrics
constexpr std::size_t kMaxScopes = 256;            // inside of each other
constexpr std::size_t kMaxWords = 1U << 30;
constexpr std::string_view kStream = "0";

// Where part `i` of `count` nearly equal parts of `total` begins.
TimeNs partBegin(TimeNs total, std::int64_t i, std::int64_t count) {
    return total / count * i + std::min(i, total % count);
}

class Layout {
public:
    Layout(const Tree& tree, const std::stop_token& stop) : m_tree(tree), m_stop(stop) {}

    // `log` receives deviations from the tree.
    std::string write(trace::ImportLog& log) {
        m_json = "{\"traceEvents\": [\n";
        chooseParts(log);
        for (const Node& node : m_tree.nodes) {
            if (!hasRoom()) {
                break;
            }
            closeTo(node.depth);
            if (node.isKernel) {
                addKernels(node);
            }
            // The root only groups the rest.
            if (node.depth > 0 && m_open.size() < kMaxScopes) {
                m_open.push_back({&node, {}});
            }
        }
        closeTo(0);
        if (!hasRoom()) {
            log.add("too_many_slices", trace::Severity::DataLoss, 0,
                    "the rest of the tree is left out");
        }
        for (const auto& [gpu, end] : m_ends) {
            nameRow(gpu);
        }
        m_json.erase(m_json.find_last_not_of(",\n") + 1);  // JSON has no last comma
        m_json += "\n], \"deviceProperties\": [" + devices() + "]}";
        return std::move(m_json);
    }

private:
    struct Scope {
        const Node* node = nullptr;
        std::map<std::int64_t, TimeNs> begins;  // by GPU
    };

    [[nodiscard]] bool hasRoom() const {
        throwIfStopped(m_stop);
        return m_json.size() <= kMaxWords;
    }

    // Of each launch of a kernel.
    [[nodiscard]] static std::size_t wordsOf(const Node& node) {
        std::size_t words = kWordsOfLaunch + node.name.size();
        for (const auto& [key, json] : node.metrics) {
            words += key.size() + json.size();
        }
        return words;
    }

    void chooseParts(trace::ImportLog& log) {
        std::int64_t launches = 0;
        std::size_t words = 0;
        for (const Node& node : m_tree.nodes) {
            if (node.isKernel && launches <= kMaxLaunches && words <= kMaxPartWords) {
                // One more than the limit is enough to exceed it, and cannot overflow the sum.
                const auto count = std::clamp<std::int64_t>(node.count, 1, kMaxLaunches + 1);
                launches += count;
                words += static_cast<std::size_t>(count) * wordsOf(node);
            }
        }
        m_inParts = launches <= kMaxLaunches && words <= kMaxPartWords;
        if (!m_inParts) {
            log.add("sums_as_one", trace::Severity::Warning, 0,
                    "there are too many launches to lay out: each kernel of a scope is one slice "
                    "of its whole time");
        }
        log.add("no_times", trace::Severity::Info, 0,
                "the tree has sums and no times: operations stand one after another, each as long "
                "as the mean; busy, idle and order say nothing");
    }

    void addKernels(const Node& node) {
        const TimeNs begin = m_ends.try_emplace(node.gpu, 0).first->second;
        const std::int64_t count = m_inParts ? std::max<std::int64_t>(node.count, 1) : 1;
        const TimeNs total = std::min(node.timeNs, event::kFarthestTime - begin);
        for (std::int64_t i = 0; i < count && hasRoom(); ++i) {
            const TimeNs from = partBegin(total, i, count);
            open("kernel", node, node.gpu, {begin + from, begin + partBegin(total, i + 1, count)});
            m_words.number("device", node.gpu);
            m_words.number("stream", std::int64_t{0});
            m_words.number("count", node.count);
            m_words.number("time (ns)", node.timeNs);
            finish(node);
        }
        m_ends[node.gpu] = begin + total;
        if (!m_open.empty()) {
            m_open.back().begins.try_emplace(node.gpu, begin);
        }
    }

    // Ends the scopes that a node of this depth is not below.
    void closeTo(std::uint32_t depth) {
        while (!m_open.empty() && m_open.back().node->depth >= depth) {
            const Scope scope = std::move(m_open.back());
            m_open.pop_back();
            for (const auto& [gpu, begin] : scope.begins) {
                if (!scope.node->isKernel && hasRoom()) {
                    open("gpu_user_annotation", *scope.node, gpu, {begin, m_ends[gpu]});
                    finish(*scope.node);
                }
                if (!m_open.empty()) {
                    m_open.back().begins.try_emplace(gpu, begin);
                }
            }
        }
    }

    void open(std::string_view category, const Node& node, std::int64_t gpu, TimeSpan span) {
        m_words.open('X', category, node.name, std::to_string(gpu), kStream);
        m_words.time(span.start);
        m_words.duration(span.duration());
    }

    void finish(const Node& node) {
        for (const auto& [key, json] : node.metrics) {
            m_words.json(key, json);
        }
        add(m_words.close());
    }

    void add(const std::string& event) {
        m_json += event;
        m_json += ",\n";
    }

    void nameRow(std::int64_t gpu) {
        const std::string pid = std::to_string(gpu);
        const std::string name = wire::quoted(fmt::format("GPU {}", gpu));
        add(m_words.metadata("process_name", pid, {}, "name", name));
        add(m_words.metadata("process_labels", pid, {}, "labels", name));
        add(m_words.metadata("thread_name", pid, kStream, "name", "\"sums of scopes\""));
    }

    [[nodiscard]] std::string devices() const {
        std::string json;
        for (const Device& device : m_tree.devices) {
            json += fmt::format(
                R"({}{{"id": {}, "name": {}, "numSms": {}}})", json.empty() ? "" : ", ", device.gpu,
                wire::quoted(device.kind + " " + device.architecture), device.multiprocessors);
        }
        return json;
    }

    const Tree& m_tree;
    const std::stop_token& m_stop;
    wire::EventWords m_words;
    std::string m_json;
    bool m_inParts = true;
    std::map<std::int64_t, TimeNs> m_ends;  // by GPU: where the next operation begins
    std::vector<Scope> m_open;
};

}  // namespace

bool HatchetImporter::recognises(std::string_view head) const {
    return isTree(head);
}

Result<std::shared_ptr<const trace::Trace>> HatchetImporter::read(ImportInput& input) const {
    const std::stop_token& stop = input.options.stop;
    return chrome::readReworded(input, [&](std::string_view text) -> Result<chrome::WordedTrace> {
        chrome::WordedTrace worded;
        worded.format = "Proton tree";
        const Tree tree = readTree(text, stop, worded.log);
        if (std::ranges::none_of(tree.nodes, &Node::isKernel)) {
            return fail(
                "is a tree of Proton without times: nothing in it has \"time (ns)\" and a device");
        }
        worded.json = Layout(tree, stop).write(worded.log);
        return worded;
    });
}

}  // namespace kinetoscope::import::proton
