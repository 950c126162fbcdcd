package dev.edl.testkit;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Test method on the stack of the current thread, found without a dependency on its framework. It is annotated with
 * JUnit's {@code @Testable}, directly or as a meta-annotation (JUnit 5 and 6 and their engines), or {@code @Test} of
 * JUnit 4 or TestNG.
 *
 * @param type class of the test method
 * @param method name of the test method
 */
record RunningTest(Class<?> type, String method) {
    private static final Set<String> MARKS =
            Set.of("org.junit.platform.commons.annotation.Testable", "org.junit.Test", "org.testng.annotations.Test");

    /**
     * Returns the innermost test method on the stack of the current thread; empty without one, as on a thread that a
     * test started.
     */
    static Optional<RunningTest> find() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(RunningTest::marked)
                        .findFirst()
                        .map(frame -> new RunningTest(frame.getDeclaringClass(), frame.getMethodName())));
    }

    private static boolean marked(StackWalker.StackFrame frame) {
        try {
            Method method = frame.getDeclaringClass()
                    .getDeclaredMethod(
                            frame.getMethodName(), frame.getMethodType().parameterArray());
            return Arrays.stream(method.getAnnotations()).anyMatch(a -> marked(a.annotationType(), new HashSet<>()));
        } catch (NoSuchMethodException | NoClassDefFoundError e) {
            return false; // a constructor, or a class of an optional library that is absent
        }
    }

    private static boolean marked(Class<? extends Annotation> type, Set<Class<?>> seen) {
        return MARKS.contains(type.getName())
                || (seen.add(type)
                        && Arrays.stream(type.getAnnotations()).anyMatch(a -> marked(a.annotationType(), seen)));
    }

    /**
     * Returns the path of the test's golden file without its extension, such as {@code com/acme/MnistJobTest.the_plan};
     * a nested class is {@code Outer.Inner}.
     */
    String path() {
        return describe(type.getName().replace('.', '/')) + "." + describe(method);
    }

    /**
     * Replaces blanks and special characters, as in method names of Kotlin and Groovy, by {@code -}. Letters of all
     * scripts stay.
     */
    private static String describe(String name) {
        return name.replace('$', '.').replaceAll("[^\\p{L}\\p{M}\\p{N}_./-]+", "-");
    }

    /**
     * Returns the value for Maven's {@code -Dtest}, quoted where a shell requires it. The stack does not show which
     * class inherits a test, so a test of an abstract class is selected by its method alone.
     */
    String selector() {
        String name = type.getName();
        String classes = Modifier.isAbstract(type.getModifiers()) ? "*" : name.substring(name.lastIndexOf('.') + 1);
        String selector = classes + "#" + method;
        return selector.matches("[\\w#]+") ? selector : "'" + selector + "'";
    }
}
