/**
 * What every procedure does around its kernel: config keys and their checks, the session, the
 * limits on time and memory, and arguments that may differ from one start set to the next. {@link
 * io.github.kgdb.procedure.call.GraphCall} is the entry.
 */
package io.github.kgdb.procedure.call;
