/** Clicks on advertisements: records of ids and numbers. */
@NullMarked
package dev.edl.examples.clicks;

import org.jspecify.annotations.NullMarked;
