package dev.edl.testkit;

import java.util.function.Consumer;
import org.assertj.core.api.AbstractSoftAssertions;
import org.assertj.core.api.StandardSoftAssertionsProvider;

/**
 * Assertions of this module and of AssertJ that go on behind a failure, and tell all of them at the end.
 *
 * <pre>{@code
 * EdlSoftAssertions.assertSoftly(softly -> {
 *   softly.assertThat(job).hasName("mnist").role("worker").hasReplicas(8).hasPriority("high");
 *   softly.assertThat(job.roles()).hasSize(3);
 * });
 * }</pre>
 *
 * <p>AssertJ's JUnit extension {@code SoftAssertionsExtension} injects them as any others ({@code @InjectSoftAssertions}).
 * Behind a role, a replica or a variable that is not there, nothing more is said of it. AssertJ's own assertions on a
 * job or a plan, such as {@code isSameAs}, throw at once. Used by one thread.
 */
public final class EdlSoftAssertions extends AbstractSoftAssertions
        implements EdlSoftAssertionsProvider, StandardSoftAssertionsProvider {
    /** Assertions that have collected nothing; {@code assertAll()} tells what they will. */
    public EdlSoftAssertions() {}

    /**
     * Makes assertions, and tells all failures.
     *
     * @throws AssertionError when there is one, with every message
     * @throws RuntimeException when an assertion throws another one, such as a {@code PlanException}; with the failures
     *     before it as suppressed ones
     */
    public static void assertSoftly(Consumer<EdlSoftAssertions> assertions) {
        EdlSoftAssertions softly = new EdlSoftAssertions();
        try {
            assertions.accept(softly);
        } catch (AssertionError failure) {
            softly.collectAssertionError(failure); // or it would be all that is told
        } catch (RuntimeException broken) {
            softly.assertionErrorsCollected().forEach(broken::addSuppressed);
            throw broken;
        }
        softly.assertAll();
    }
}
