/**
 * Commands {@code edl zoo}: a project with a training, and the container image of its program.
 *
 * <p>Start at {@link dev.edl.cli.zoo.ZooCommand}.
 */
@NullMarked
package dev.edl.cli.zoo;

import org.jspecify.annotations.NullMarked;
