/** A classifier for a user's own table of numbers. */
@NullMarked
package dev.edl.examples.csv;

import org.jspecify.annotations.NullMarked;
