/** A cluster that is simulated, for tests of how a job behaves. */
@org.jspecify.annotations.NullMarked
package dev.edl.testkit.cluster;
