/**
 * Metrics of trainings for Micrometer. Start at {@link dev.edl.runtime.micrometer.TrainingMeters}.
 *
 * <p>Micrometer is an optional dependency: a program that uses this package has {@code micrometer-core} itself.
 */
@NullMarked
package dev.edl.runtime.micrometer;

import org.jspecify.annotations.NullMarked;
