toBooleanOrNull(toStringOrNull(x))
