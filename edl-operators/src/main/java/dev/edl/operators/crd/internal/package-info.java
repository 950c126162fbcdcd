/**
 * Shared parts of the custom resource packages. Not public API: they change without notice. Start at
 * {@code CustomObjectFieldReader}.
 */
@NullMarked
package dev.edl.operators.crd.internal;

import org.jspecify.annotations.NullMarked;
