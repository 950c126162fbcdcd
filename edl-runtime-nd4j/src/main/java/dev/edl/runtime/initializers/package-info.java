/**
 * Initial values of parameters and of rows of embedding tables. Start at
 * {@link dev.edl.runtime.initializers.Initializer}.
 */
@NullMarked
package dev.edl.runtime.initializers;

import org.jspecify.annotations.NullMarked;
