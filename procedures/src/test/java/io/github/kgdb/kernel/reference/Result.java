package io.github.kgdb.kernel.reference;

import java.util.List;

/** The result of a reference implementation for one start set. */
record Result<T>(List<T> rows, List<String> cut) {}
