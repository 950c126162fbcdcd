/** Example classifier for a user's own table of numbers. Start at {@link dev.edl.examples.csv.TrainCsv}. */
@NullMarked
package dev.edl.examples.csv;

import org.jspecify.annotations.NullMarked;
