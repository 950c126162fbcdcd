/** What the packages of the custom resources share. Not for use by others: it changes without notice. */
@NullMarked
package dev.edl.k8s.crd.internal;

import org.jspecify.annotations.NullMarked;
