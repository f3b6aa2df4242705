package io.github.kgdb.thought;

/** The result of parsing a script. */
public sealed interface ParsedScript permits Thought, ScriptError {}
