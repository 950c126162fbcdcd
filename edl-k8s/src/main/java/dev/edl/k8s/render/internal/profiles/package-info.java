/**
 * Objects and names by profile. Start at {@code ProfileRenderer}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.k8s.render.internal.profiles;

import org.jspecify.annotations.NullMarked;
