/**
 * Parts of pods and of the objects beside them. Start at {@code ReplicaIdentity}, the labels and names of a replica.
 * Internal: changes without notice.
 */
@NullMarked
package dev.edl.k8s.render.internal;

import org.jspecify.annotations.NullMarked;
