package dev.edl.testkit;

import java.util.function.Consumer;
import org.assertj.core.api.AbstractSoftAssertions;
import org.assertj.core.api.StandardSoftAssertionsProvider;

/**
 * Soft assertions of this module and of AssertJ: they continue after a failure and report all failures at the end.
 *
 * <pre>{@code
 * EdlSoftAssertions.assertSoftly(softly -> {
 *   softly.assertThat(job).hasName("mnist").role("worker").hasReplicas(8).hasPriority("high");
 *   softly.assertThat(job.roles()).hasSize(3);
 * });
 * }</pre>
 *
 * <p>AssertJ's JUnit extension {@code SoftAssertionsExtension} injects a collector into fields annotated with
 * {@code @InjectSoftAssertions}. If a role, replica or variable is missing, the assertions chained to it are not
 * verified. AssertJ's own assertions on a job or a plan, such as {@code isSameAs}, throw at once. A collector is used
 * by one thread.
 */
public final class EdlSoftAssertions extends AbstractSoftAssertions
        implements EdlSoftAssertionsProvider, StandardSoftAssertionsProvider {
    /** Creates an empty collector; {@code assertAll()} reports its failures. */
    public EdlSoftAssertions() {}

    /**
     * Runs assertions and reports all failures.
     *
     * @throws AssertionError when there is a failure, with all messages
     * @throws RuntimeException when an assertion throws another exception, such as a {@code PlanException}; earlier
     *     failures are suppressed exceptions of it
     */
    public static void assertSoftly(Consumer<EdlSoftAssertions> assertions) {
        EdlSoftAssertions softly = new EdlSoftAssertions();
        try {
            assertions.accept(softly);
        } catch (AssertionError failure) {
            softly.collectAssertionError(failure); // adds the collected failures, which would otherwise be lost
        } catch (RuntimeException broken) {
            softly.assertionErrorsCollected().forEach(broken::addSuppressed);
            throw broken;
        }
        softly.assertAll();
    }
}
