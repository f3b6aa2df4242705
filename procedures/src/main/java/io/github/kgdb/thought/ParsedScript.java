package io.github.kgdb.thought;

/** What a script turned out to be. */
public sealed interface ParsedScript permits Thought, ScriptError {}
