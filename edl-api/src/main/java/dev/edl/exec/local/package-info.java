/**
 * Execution of jobs as operating-system processes of this machine. Start at {@link dev.edl.exec.local.LocalExecutor}.
 */
@NullMarked
package dev.edl.exec.local;

import org.jspecify.annotations.NullMarked;
