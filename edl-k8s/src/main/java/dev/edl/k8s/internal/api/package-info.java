/**
 * The requests that driving a job takes, apart from who answers them: an API server, or what plays one in tests. Not for use by
 * others: it changes without notice.
 */
@NullMarked
package dev.edl.k8s.internal.api;

import org.jspecify.annotations.NullMarked;
