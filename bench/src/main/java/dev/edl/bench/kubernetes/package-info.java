/** Figures of jobs on an API server. Start at {@link dev.edl.bench.kubernetes.DriverCostGrowth}. */
@NullMarked
package dev.edl.bench.kubernetes;

import org.jspecify.annotations.NullMarked;
