#pragma once

#include <map>

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "views/document.h"
#include "views/panel.h"

namespace views {

/// How the model is run: inputs, sizes of symbols, threads, how long to measure. Acts on the current
/// document.
class SetupPanel : public Panel {
    Q_OBJECT

public:
    explicit SetupPanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    QSize sizeHint() const override { return {260, 420}; }

    /// The box of a symbol, or null.
    QSpinBox* symbolBox(const std::string& symbol) const;
    QPushButton* runButton() { return run_; }

private:
    void rebuild();
    void refresh();
    void addSymbols();
    void addInputs();
    void chooseFile(const std::string& input);
    void change(const std::function<void(RunSettings&)>& edit);

    Document* document_ = nullptr;
    QWidget* content_ = nullptr;
    QFormLayout* form_ = nullptr;
    QComboBox* duration_ = nullptr;
    QSpinBox* threads_ = nullptr;
    QPushButton* run_ = nullptr;
    std::map<std::string, QSpinBox*> symbols_;
    std::map<std::string, QPushButton*> files_;
};

}  // namespace views
