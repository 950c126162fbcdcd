/** Readers and writers of records, tables and event files; JDK streams in, plain arrays out. */
@NullMarked
package dev.edl.runtime.data;

import org.jspecify.annotations.NullMarked;
