/**
 * Records and tables: what the readers of all formats share. Each format has a package below. Start at {@link
 * dev.edl.runtime.data.Datasets}.
 */
@NullMarked
package dev.edl.runtime.data;

import org.jspecify.annotations.NullMarked;
