/** Assertions for tests of jobs: on the job, its plan, its pods and its environment. Start at {@link dev.edl.testkit.EdlAssertions}. */
@NullMarked
package dev.edl.testkit;

import org.jspecify.annotations.NullMarked;
