/** What the packages of the custom resources share. Not for use by others: it changes without notice. Start at {@code ResourceMapReader}. */
@NullMarked
package dev.edl.operators.crd.internal;

import org.jspecify.annotations.NullMarked;
