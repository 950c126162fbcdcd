/** Shared parts of the checks on a real cluster. Start at {@link dev.edl.conformance.OnCluster}. */
@org.jspecify.annotations.NullMarked
package dev.edl.conformance;
