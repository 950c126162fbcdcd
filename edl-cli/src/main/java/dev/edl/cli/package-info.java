/**
 * Program {@code edl}: plans, trains, submits and follows jobs from a shell. Each command parses its flags, calls the
 * library and prints the result.
 *
 * <p>Start at {@link dev.edl.cli.EdlCommand}.
 */
@NullMarked
package dev.edl.cli;

import org.jspecify.annotations.NullMarked;
