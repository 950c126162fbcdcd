/** Notices of nodes that are about to go. Start at {@link dev.edl.k8s.nodes.NodeNotices}. */
@NullMarked
package dev.edl.k8s.nodes;

import org.jspecify.annotations.NullMarked;
