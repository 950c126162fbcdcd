package dev.edl.k8s;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class a server of fabric8's mock that keeps what is created, in the fields of type {@code
 * KubernetesClient} and {@code KubernetesMockServer}.
 *
 * <p>It is used instead of fabric8's own {@code EnableKubernetesMockClient}, whose server stands still for half a minute when a
 * client closes a watch while events of it are on their way: the thread that has to send them waits for them to be sent.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MockClusterExtension.class)
public @interface MockCluster {}
