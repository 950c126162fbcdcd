/** Example job whose replicas are local processes. Start at {@link dev.edl.examples.local.RunLocal}. */
@NullMarked
package dev.edl.examples.local;

import org.jspecify.annotations.NullMarked;
