package dev.edl.conformance;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Main program that runs one check in a JVM that reaches the cluster: a class and, where it has several, the method.
 */
public final class InsideCluster {
    private InsideCluster() {}

    /** Exits with 0 when the check succeeds. */
    public static void main(String[] args) throws ReflectiveOperationException {
        // Without the waiting JVM, a check would continue alone.
        ProcessHandle.current().parent().ifPresent(waiting -> {
            var unused = waiting.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
        });
        Class<?> check = Class.forName(args[0]);
        Method method = Arrays.stream(check.getDeclaredMethods())
                .filter(one -> one.isAnnotationPresent(Test.class))
                .filter(one -> args.length < 2 || one.getName().equals(args[1]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(args[0] + " has no such check"));
        // As in ClusterExtension, the check creates its own instance with its parameters.
        Constructor<?> made = check.getDeclaredConstructors()[0];
        made.setAccessible(true);
        method.setAccessible(true);
        try {
            method.invoke(made.newInstance(new Object[made.getParameterCount()]));
        } catch (InvocationTargetException e) {
            (e.getCause() == null ? e : e.getCause()).printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }
}
