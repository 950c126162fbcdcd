/** Objects and names by profile. Start at {@code ProfileRenderer}. Internal: changes without notice. */
@NullMarked
package dev.edl.k8s.render.internal.profiles;

import org.jspecify.annotations.NullMarked;
