/** The immutable values behind a job: what was asked for, nothing computed. */
@NullMarked
package dev.edl.spec;

import org.jspecify.annotations.NullMarked;
