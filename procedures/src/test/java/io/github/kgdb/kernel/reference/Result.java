package io.github.kgdb.kernel.reference;

import java.util.List;

/** What a reference finds for one start set. */
record Result<T>(List<T> rows, List<String> cut) {}
