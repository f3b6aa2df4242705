/**
 * The parser for graphs of thought: the part of Cypher that language models write them in. {@link
 * io.github.kgdb.thought.ThoughtParser} is the entry; it needs no database.
 */
package io.github.kgdb.thought;
