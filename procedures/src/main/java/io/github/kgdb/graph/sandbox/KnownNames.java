package io.github.kgdb.graph.sandbox;

import io.github.kgdb.cypher.ReadQuery.Kind;

import java.util.List;

/** The labels, relationship types and property keys that a query may know of. */
interface KnownNames {
    boolean contains(Kind kind, String name);

    List<String> all(Kind kind);
}
