/**
 * Datasets and tables, shared by the readers of all formats. Each format has a subpackage. Start at
 * {@link dev.edl.runtime.data.Datasets}.
 */
@NullMarked
package dev.edl.runtime.data;

import org.jspecify.annotations.NullMarked;
