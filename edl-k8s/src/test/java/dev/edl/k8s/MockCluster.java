package dev.edl.k8s;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class a server of fabric8's mock that stores created objects, in the fields of type
 * {@code KubernetesClient} and {@code KubernetesMockServer}.
 *
 * <p>It replaces fabric8's own {@code EnableKubernetesMockClient}. That server blocks for half a minute when a client
 * closes a watch with events in flight: the sending thread waits for its own events.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MockClusterExtension.class)
public @interface MockCluster {}
