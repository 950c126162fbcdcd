/** A program that trains its own class in pods, as docs/cluster.md begins. */
@NullMarked
package dev.edl.examples.pods;

import org.jspecify.annotations.NullMarked;
