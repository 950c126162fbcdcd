/**
 * Commands for data of trainings.
 *
 * <p>Start at {@link dev.edl.cli.data.DataCommand}.
 */
@NullMarked
package dev.edl.cli.data;

import org.jspecify.annotations.NullMarked;
