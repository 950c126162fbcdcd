/**
 * Example with clicks on advertisements, records of ids and numbers. Start at
 * {@link dev.edl.examples.clicks.TrainClicks}.
 */
@NullMarked
package dev.edl.examples.clicks;

import org.jspecify.annotations.NullMarked;
