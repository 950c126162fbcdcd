package dev.edl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a check that needs a real cluster. {@link ClusterExtension} starts it, and runs the check in its own JVM that
 * reaches it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterExtension.class)
public @interface OnCluster {
    /** Returns the flags of {@code conformance/cluster/up}: {@code --nodes 3}, {@code --nodes 0 --fake 2}. */
    String value();

    /** Whether the check changes the cluster, so that no other check may use it. */
    boolean alone() default false;
}
