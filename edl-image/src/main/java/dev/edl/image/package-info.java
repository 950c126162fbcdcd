/**
 * Class paths of Java programs for pods: as container images, built without Docker, or on a PersistentVolumeClaim.
 *
 * <p>Start at {@link dev.edl.image.ProgramImage} or {@link dev.edl.image.ClassPathClaim}.
 */
@NullMarked
package dev.edl.image;

import org.jspecify.annotations.NullMarked;
