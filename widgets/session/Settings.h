// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariant>
#include <memory>
#include <span>
#include <vector>

namespace kinetoscope::session {

class Settings;

/// One remembered value. Reading gives the fallback when nothing usable is stored.
class SettingBase {
public:
    SettingBase(Settings& owner, const char* key);
    SettingBase(const SettingBase&) = delete;
    SettingBase& operator=(const SettingBase&) = delete;
    virtual ~SettingBase() = default;

    [[nodiscard]] QString key() const { return QLatin1String(m_key); }
    [[nodiscard]] virtual QMetaType type() const = 0;
    [[nodiscard]] QVariant stored() const;
    void store(const QVariant& value);

private:
    Settings& m_owner;
    const char* m_key;
};

template <class T>
class Setting final : public SettingBase {
public:
    Setting(Settings& owner, const char* key, T fallback = {})
        : SettingBase(owner, key), m_fallback(std::move(fallback)) {}

    [[nodiscard]] QMetaType type() const override { return QMetaType::fromType<T>(); }
    [[nodiscard]] T value() const {
        const QVariant found = stored();
        return found.isValid() && found.canConvert<T>() ? found.value<T>() : m_fallback;
    }
    void set(const T& value) { store(QVariant::fromValue(value)); }

private:
    T m_fallback;
};

/// The settings remembered between starts. One line each; that is all it takes to add one.
class Settings final {
public:
    /// `iniFile` empty: the user's own place. `InMemory`: nothing is kept, as in a file that is a
    /// device or a pipe.
    explicit Settings(const QString& iniFile = QString());
    struct InMemory {};
    explicit Settings(InMemory);

    [[nodiscard]] std::span<SettingBase* const> all() const { return m_all; }

private:
    friend class SettingBase;
    std::unique_ptr<QSettings> m_store;  ///< null: in memory
    QVariantMap m_memory;
    std::vector<SettingBase*> m_all;

public:
    Setting<QByteArray> windowGeometry{*this, "window/geometry"};
    Setting<QByteArray> windowLayout{*this, "window/layout"};
    Setting<QString> theme{*this, "window/theme", QStringLiteral("system")};
    Setting<QStringList> recentFiles{*this, "files/recent"};
    Setting<QStringList> lastCommands{*this, "window/lastCommands"};
    Setting<QString> lastFolder{*this, "files/lastFolder"};
    Setting<QString> recordProgram{*this, "record/program"};
    Setting<QString> recordArguments{*this, "record/arguments"};
    Setting<QString> recordFolder{*this, "record/folder"};
    Setting<QString> recordEnvironment{*this, "record/environment"};
    Setting<QString> recordLevel{*this, "record/level", QStringLiteral("3")};
    Setting<QString> benchCache{*this, "bench/cache"};
    Setting<QString> benchMethod{*this, "bench/method", QStringLiteral("cupti-cold")};
    Setting<QString> roof{*this, "roofline/roof", QStringLiteral("table")};
    Setting<QStringList> queryHistory{*this, "query/history"};  ///< SQL, the last one first
    Setting<QStringList> savedQueries{*this, "query/saved"};    ///< name, line break, SQL
    Setting<QString> baselineStore{*this, "baseline/store"};    ///< empty: kscope's default
    Setting<QString> kernelGroup{*this, "kernels/group", QStringLiteral("family")};
};

inline constexpr int kMaxRecentFiles = 10;

/// Puts the path first; one entry a path, at most kMaxRecentFiles.
void addRecentFile(Settings& settings, const QString& path);
void removeRecentFile(Settings& settings, const QString& path);

}  // namespace kinetoscope::session
