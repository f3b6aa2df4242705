/**
 * What every other package shares: the error that callers see, values as error messages write them,
 * suggestions for names that do not exist, and positions in a text. It depends on no other package
 * of the plugin.
 */
package io.github.kgdb;
