toLower(toStringOrNull(x))
