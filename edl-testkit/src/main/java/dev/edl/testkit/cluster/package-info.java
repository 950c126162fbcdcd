/** Simulated cluster for tests of how a job behaves. Start at {@link dev.edl.testkit.cluster.SimulatedCluster}. */
@org.jspecify.annotations.NullMarked
package dev.edl.testkit.cluster;
