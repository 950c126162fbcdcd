package dev.edl.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * JUnit extension that runs a check on the cluster that it needs. Adjacent checks share a cluster; {@link ByCluster}
 * sorts them. Real nodes have their own network, so the check itself runs in another JVM inside of it.
 */
final class ClusterExtension implements InvocationInterceptor, ParameterResolver {
    private static final Namespace SHARED = Namespace.create(ClusterExtension.class);

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        if (Cluster.isInside()) {
            invocation.proceed();
            return;
        }
        invocation.skip();
        OnCluster need = called.getTargetClass().getAnnotation(OnCluster.class);
        Assumptions.assumeTrue(
                need.value().matches(".*--nodes 0.*")
                        || need.value().startsWith("--fake")
                        || System.getProperty("user.name").equals("root"),
                "it needs real nodes, and those need root");
        Cluster cluster = context.getRoot()
                .getStore(SHARED)
                .computeIfAbsent("cluster", key -> new Shared(), Shared.class)
                .cluster();
        cluster.up(need);
        cluster.check(called.getTargetClass(), called.getExecutable().getName());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getDeclaringExecutable() instanceof Constructor;
    }

    /** Returns nothing: JUnit's instance only starts the check, which creates its own instance with its parameters. */
    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return null;
    }

    /** Cluster of this run of JUnit, closed at its end. */
    private static final class Shared implements AutoCloseable {
        private final Cluster cluster;

        Shared() {
            try {
                cluster = new Cluster();
            } catch (IOException e) {
                throw new UncheckedIOException("no folder for the state of a cluster", e);
            }
        }

        Cluster cluster() {
            return cluster;
        }

        @Override
        public void close() throws Exception {
            cluster.close();
        }
    }
}
