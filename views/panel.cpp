#include "views/panel.h"
