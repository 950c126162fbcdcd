/**
 * Class paths of Java programs for pods: as container images, built without Docker, or on a PersistentVolumeClaim. Files
 * on such a claim.
 *
 * <p>Start at {@link dev.edl.image.ProgramImage}, {@link dev.edl.image.ClassPathClaim} or {@link
 * dev.edl.image.ClaimFiles}.
 */
@NullMarked
package dev.edl.image;

import org.jspecify.annotations.NullMarked;
