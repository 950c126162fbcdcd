/** Running a job: executors, handles, status, and the loop that drives a substrate. */
@NullMarked
package dev.edl.exec;

import org.jspecify.annotations.NullMarked;
