/** What checks on a real cluster have in common. Start at {@link dev.edl.conformance.OnCluster}. */
@org.jspecify.annotations.NullMarked
package dev.edl.conformance;
