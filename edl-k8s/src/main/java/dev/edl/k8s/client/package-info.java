/**
 * Requests to the API server that driving a job needs, independent of the server: a cluster, or a simulation in tests.
 *
 * <p>Start at {@link dev.edl.k8s.client.ClusterApi}. For EDL's own modules; programs that run jobs do not need it.
 */
@NullMarked
package dev.edl.k8s.client;

import org.jspecify.annotations.NullMarked;
