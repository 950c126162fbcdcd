/** A job whose replicas are processes of this machine. Start at {@link dev.edl.examples.local.RunLocal}. */
@NullMarked
package dev.edl.examples.local;

import org.jspecify.annotations.NullMarked;
