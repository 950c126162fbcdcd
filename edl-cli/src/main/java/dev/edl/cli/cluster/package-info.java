/**
 * Parts shared by the commands that run a job on a cluster: the flags of its connection, and the wait for the job's end.
 *
 * <p>Start at {@link dev.edl.cli.cluster.ClusterConnection}.
 */
@NullMarked
package dev.edl.cli.cluster;

import org.jspecify.annotations.NullMarked;
