/** Tests of the commands, against a mock of the cluster where they need one. */
@NullMarked
package dev.edl.cli;

import org.jspecify.annotations.NullMarked;
