/**
 * The procedures, one class each. A procedure declares its arguments, config keys and row, checks
 * them, calls a kernel and makes rows. {@link io.github.kgdb.procedure.Catalog} lists them all;
 * {@code kgdb.help} and the reference pages are made from it.
 */
package io.github.kgdb.procedure;
