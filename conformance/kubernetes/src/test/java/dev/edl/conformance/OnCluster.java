package dev.edl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A check that needs a real cluster. {@link ClusterExtension} starts it, and runs the check in a JVM of its own where the cluster is
 * reached.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterExtension.class)
public @interface OnCluster {
    /** The cluster, as flags of {@code conformance/cluster/up}: {@code --nodes 3}, {@code --nodes 0 --fake 2}. */
    String value();

    /** Whether no other check gets the cluster, as this one does not leave it as it was. */
    boolean alone() default false;
}
