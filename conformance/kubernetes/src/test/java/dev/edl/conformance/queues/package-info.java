/** Checks that jobs keep to the quota of a queue. */
package dev.edl.conformance.queues;
