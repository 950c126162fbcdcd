/**
 * Requests to the API server that driving a job takes, apart from who answers them: a cluster, or what plays one in tests.
 * Start at {@link dev.edl.k8s.client.ClusterApi}. For EDL's modules that talk to a cluster; programs that run jobs need none of it.
 */
@NullMarked
package dev.edl.k8s.client;

import org.jspecify.annotations.NullMarked;
