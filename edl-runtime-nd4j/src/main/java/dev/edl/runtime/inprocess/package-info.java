/**
 * Executors of trainings, evaluations and predictions in this JVM, each replica of the job as a thread. Start at
 * {@link dev.edl.runtime.inprocess.InProcessExecutor}.
 */
@NullMarked
package dev.edl.runtime.inprocess;

import org.jspecify.annotations.NullMarked;
