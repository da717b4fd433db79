#include "app/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>

namespace app {

namespace {

constexpr qsizetype mostRecent = 9;

}  // namespace

QStringList Settings::recentFiles() {
    QStringList existing;
    for (const QString& path : QSettings().value("recent").toStringList()) {
        if (QFileInfo::exists(path)) existing << path;
    }
    return existing;
}

void Settings::addRecentFile(const QString& path) {
    QStringList files = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue("recent", files.mid(0, mostRecent));
}

void Settings::clearRecentFiles() { QSettings().remove("recent"); }

Theme Settings::theme() { return static_cast<Theme>(QSettings().value("theme", 0).toInt()); }

void Settings::setTheme(Theme theme) { QSettings().setValue("theme", static_cast<int>(theme)); }

bool Settings::wheelZooms() { return QSettings().value("wheelZooms", false).toBool(); }

void Settings::setWheelZooms(bool wheelZooms) { QSettings().setValue("wheelZooms", wheelZooms); }

QByteArray Settings::value(const QString& key) { return QSettings().value(key).toByteArray(); }

void Settings::setValue(const QString& key, const QByteArray& value) { QSettings().setValue(key, value); }

void Settings::remove(const QString& key) { QSettings().remove(key); }

void Settings::isolate() {
    static const QTemporaryDir folder;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QSettings::setPath(QSettings::IniFormat, QSettings::SystemScope, folder.path());
}

}  // namespace app
