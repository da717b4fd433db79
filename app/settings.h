#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

namespace app {

/// Light, dark, or as the system has it.
enum class Theme : uint8_t { system, light, dark };

/// What the user chose, kept between runs. Every call reads or writes the store; cheap enough for the UI
/// thread.
struct Settings {
    /// Most recently opened first, existing files only, at most nine.
    static QStringList recentFiles();
    static void addRecentFile(const QString& path);
    static void clearRecentFiles();

    static Theme theme();
    static void setTheme(Theme theme);

    static bool wheelZooms();
    static void setWheelZooms(bool wheelZooms);

    static QByteArray value(const QString& key);
    static void setValue(const QString& key, const QByteArray& value);
    static void remove(const QString& key);

    /// From now on everything is kept in a store of its own that is thrown away at the end: for pictures and
    /// tests.
    static void isolate();
};

}  // namespace app
