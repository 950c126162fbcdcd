/** A job whose replicas are processes of this machine. */
@NullMarked
package dev.edl.examples.local;

import org.jspecify.annotations.NullMarked;
