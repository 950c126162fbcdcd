/** Models that compute their gradients on ND4J. */
@NullMarked
package dev.edl.runtime.model;

import org.jspecify.annotations.NullMarked;
