// SPDX-License-Identifier: Apache-2.0
#include "core/import/proton/Tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/Demangle.h"
#include "core/base/Threads.h"
#include "core/import/event/JsonCursor.h"
#include "core/json/Json.h"

namespace kinetoscope::import::proton {

namespace {

constexpr std::size_t kMaxNodes = 10'000'000;
constexpr std::int64_t kMaxGpu = 63;
// As the first writers called them, and as they are called now.
constexpr std::array<std::string_view, 2> kTime{"time (ns)", "Time (ns)"};
constexpr std::array<std::string_view, 2> kCount{"count", "Count"};
constexpr std::array<std::string_view, 2> kDevice{"device_id", "DeviceId"};
constexpr std::array<std::string_view, 2> kDeviceType{"device_type", "DeviceType"};

std::string jsonOf(const scan::JsonText& value) {
    const std::string text = value.kind == scan::JsonKind::String
                                 ? '"' + std::string(value.view()) + '"'
                                 : std::string(value.view());
    return json::isJson(text) ? text : json::quotedJson(text);
}

class TreeReader {
public:
    TreeReader(std::string_view text, const std::stop_token& stop, trace::ImportLog& log)
        : m_cursor(text), m_stop(stop), m_log(log) {}

    Tree read() {
        bool whole = m_cursor.enter('[');
        while (m_cursor.nextElement()) {
            element();
        }
        whole = whole && !m_cursor.damaged();
        if (!whole) {
            m_log.add("damaged_tree", trace::Severity::DataLoss, m_cursor.offset(),
                      "the tree cannot be read from here on");
        }
        m_log.events = m_tree.nodes.size();
        return std::move(m_tree);
    }

private:
    // An object or the array of its children that is being read.
    struct Open {
        std::size_t node = 0;
        bool isArray = false;
    };

    void element() {
        if (!open(0)) {
            return m_cursor.skip();
        }
        while (!m_open.empty() && !m_cursor.damaged()) {
            if (m_open.back().isArray) {
                child();
            } else {
                member();
            }
        }
        m_open.clear();
        // A node with neither a name nor children describes the devices.
        if (!m_cursor.damaged() && m_named == 0) {
            m_tree.nodes.pop_back();
        }
        m_named = 0;
    }

    bool open(std::uint32_t depth) {
        if (m_tree.nodes.size() >= kMaxNodes || !m_cursor.enter('{')) {
            return false;
        }
        throwIfStopped(m_stop);
        m_open.push_back({m_tree.nodes.size(), false});
        m_tree.nodes.emplace_back().depth = depth;
        return true;
    }

    void child() {
        if (!m_cursor.nextElement()) {
            m_open.pop_back();
        } else if (!open(m_tree.nodes[m_open.back().node].depth + 1)) {
            m_cursor.skip();
        }
    }

    void member() {
        const std::size_t node = m_open.back().node;
        if (!m_cursor.nextMember(m_key)) {
            m_open.pop_back();
        } else if (m_key == "children" && m_cursor.enter('[')) {
            ++m_named;
            m_open.push_back({node, true});
        } else if (const auto value = m_cursor.value()) {
            if (m_key == "frame") {
                ++m_named;
                frame(*value, m_tree.nodes[node]);
            } else if (m_key == "metrics") {
                metrics(*value, m_tree.nodes[node]);
            } else if (m_open.size() == 1 && value->kind == scan::JsonKind::Object) {
                devices(m_key, *value);
            }
        }
    }

    void frame(const scan::JsonText& object, Node& node) {
        event::visitMembers(object, [&](std::string_view key, const scan::JsonText& value) {
            if (key == "name") {
                node.name = demangledName(event::stringOf(value, m_storage));
            }
        });
    }

    void metrics(const scan::JsonText& object, Node& node) {
        bool hasDevice = false;
        bool hasTime = false;
        event::visitMembers(object, [&](std::string_view key, const scan::JsonText& value) {
            const auto is = [&](const std::array<std::string_view, 2>& names) {
                return std::ranges::find(names, key) != names.end();
            };
            if (is(kTime)) {
                node.timeNs = std::max<std::int64_t>(event::integerOr(value, 0), 0);
                hasTime = true;
            } else if (is(kCount)) {
                node.count = std::max<std::int64_t>(event::integerOr(value, 0), 0);
            } else if (is(kDevice)) {
                node.gpu = std::clamp<std::int64_t>(event::integerOr(value, 0), 0, kMaxGpu);
                hasDevice = true;
            } else if (!is(kDeviceType)) {
                node.metrics.emplace_back(key, jsonOf(value));
            }
        });
        node.isKernel = hasDevice && hasTime;
    }

    // {"0": {"arch": "90", "num_sms": 132}} of one kind of device.
    void devices(const std::string& kind, const scan::JsonText& object) {
        event::visitMembers(object, [&](std::string_view key, const scan::JsonText& value) {
            Device device;
            device.kind = kind;
            (void)std::from_chars(key.data(), key.data() + key.size(), device.gpu);
            event::visitMembers(value, [&](std::string_view name, const scan::JsonText& text) {
                if (name == "arch") {
                    device.architecture = event::stringOf(text, m_storage);
                } else if (name == "num_sms") {
                    device.multiprocessors = event::integerOr(text, 0);
                }
            });
            if (value.kind == scan::JsonKind::Object) {
                m_tree.devices.push_back(std::move(device));
            }
        });
    }

    event::JsonCursor m_cursor;
    const std::stop_token& m_stop;
    trace::ImportLog& m_log;
    Tree m_tree;
    std::vector<Open> m_open;
    std::size_t m_named = 0;  // names and children of the element that is being read
    std::string m_key;
    std::string m_storage;
};

}  // namespace

bool isTree(std::string_view head) {
    constexpr std::string_view kSpace = " \t\r\n";
    const auto take = [&](std::string_view word) {
        const std::size_t first = std::min(head.find_first_not_of(kSpace), head.size());
        head.remove_prefix(first);
        const bool found = head.starts_with(word);
        head.remove_prefix(found ? word.size() : 0);
        return found;
    };
    if (!take("[") || !take("{")) {
        return false;
    }
    constexpr std::array<std::string_view, 3> kKeys{"\"children\"", "\"frame\"", "\"metrics\""};
    return std::ranges::any_of(kKeys, take);
}

Tree readTree(std::string_view text, const std::stop_token& stop, trace::ImportLog& log) {
    return TreeReader(text, stop, log).read();
}

}  // namespace kinetoscope::import::proton
