package dev.edl.testkit;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.spec.SensitiveEnv;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AssertionErrorCollector;
import org.jspecify.annotations.Nullable;

/**
 * Base of this module's assertions. A failure names its subject, quotes expected and actual values, and suggests the
 * nearest existing name for a missing one. Of two long values it shows only the parts that differ.
 *
 * <p>An assertion is used by one thread. {@code as("…")} puts a description before the message, as in AssertJ. Soft
 * assertions ({@link EdlSoftAssertions}) collect failures. AssertJ's own methods, such as {@code isSameAs}, throw at
 * once even in soft assertions.
 *
 * @param <S> the type of the assertion itself
 * @param <A> the type of the actual value
 */
public abstract class EdlAssert<S extends EdlAssert<S, A>, A> extends AbstractAssert<S, A> {
    /** Maximum number of names that a message lists. */
    private static final int MOST_NAMES = 30;

    private @Nullable AssertionErrorCollector collector;
    private boolean mute;

    /** Creates an assertion; {@code self} is the assertion's own class. */
    protected EdlAssert(@Nullable A actual, Class<S> self) {
        super(actual, self);
    }

    /** Returns the subject that a failure names, such as {@code job "mnist", role worker}. */
    protected abstract String subject();

    /** Returns, for example, {@code assertion on job "mnist"}. */
    @Override
    public final String toString() {
        return actual == null ? "assertion on null" : "assertion on " + described();
    }

    /** Returns the description set by {@code as("…")}, in brackets, and the subject. */
    protected final String described() {
        return (info.hasDescription() ? "[" + info.descriptionText() + "] " : "") + subject();
    }

    /** Makes this assertion send its failures to a collector instead of throwing them; returns this assertion. */
    protected final S collectedBy(AssertionErrorCollector collector) {
        this.collector = collector;
        return myself;
    }

    /** Gives another assertion the description and the collector of this one, and returns it. */
    protected final <T extends EdlAssert<T, ?>> T next(T assertion) {
        assertion.info.description(info.description());
        EdlAssert<T, ?> common = assertion;
        common.collector = collector;
        common.mute = mute;
        return assertion;
    }

    /**
     * Returns an assertion after muting it: its checks no longer fail. Used for the calls chained after a failure that a
     * soft assertion has collected.
     */
    protected final <T extends EdlAssert<T, ?>> T mute(T assertion) {
        EdlAssert<T, ?> common = next(assertion);
        common.mute = true;
        return assertion;
    }

    /**
     * Returns an assertion about a value that is parsed from a text. If the text cannot be parsed, fails and returns an
     * assertion that ignores its failures.
     *
     * @param what description of the value for the message, such as {@code a TF_CONFIG}
     * @param value parses the text
     * @param then creates the assertion about the parsed value
     * @param none returns a placeholder for a value that cannot be parsed
     */
    protected final <V, T extends EdlAssert<T, ?>> T read(
            String what, Supplier<V> value, Function<V, T> then, Supplier<V> none) {
        V read;
        try {
            read = value.get();
        } catch (IllegalArgumentException e) {
            refuse("expected " + what + " that can be read, but " + TruncatedText.cut(String.valueOf(e.getMessage()))
                    + hint());
            return mute(then.apply(none.get()));
        }
        return next(then.apply(read));
    }

    /** Returns the end of the message about a text that cannot be parsed; empty by default. */
    protected String hint() {
        return "";
    }

    /** Passes a value to further assertions and returns this assertion. */
    protected final <T> S given(T value, Consumer<? super T> assertions) {
        return guarded(() -> assertions.accept(value));
    }

    /** Runs an assertion and sends its failure to the collector; without a collector, throws it. */
    protected final S guarded(Runnable assertion) {
        try {
            assertion.run();
        } catch (AssertionError failure) {
            if (collector == null) {
                throw failure;
            }
            if (!mute) {
                collector.collectAssertionError(failure);
            }
        }
        return myself;
    }

    /** Fails with the subject, a colon and the message. */
    protected final S refuse(String message) {
        return guarded(() -> failWithMessage("%s", subject() + ": " + message));
    }

    /** Fails unless the two values are equal. */
    protected final S same(String what, Object expected, Object was) {
        isNotNull();
        if (!expected.equals(was)) {
            different(expected, was, "expected " + what + " " + shown(expected, was) + ", was " + shown(was, expected));
        }
        return myself;
    }

    /**
     * Fails and shows the lines that differ from the expected ones.
     *
     * @param what noun for the message: {@code job} or {@code plan}
     * @param differences diff between the expected and the actual text
     */
    final S differs(String what, String differences) {
        return refuse("differs from the expected " + what + " (-: expected, +: was):\n"
                + Golden.shortened(differences).stripTrailing());
    }

    /** Fails unless the value is present and equals the expected one. */
    protected final S present(String what, Object expected, Optional<?> was) {
        isNotNull();
        if (was.isEmpty()) {
            return refuse("expected " + what + " " + shown(expected) + ", but there is none");
        }
        return same(what, expected, was.get());
    }

    /** Fails when a value is present. */
    protected final S absent(String what, Optional<?> was) {
        isNotNull();
        was.ifPresent(value -> refuse("expected no " + what + ", was " + shown(value)));
        return myself;
    }

    /** Fails unless the environment variable has this value; messages mask the value of a secret. */
    protected final S variable(Map<String, String> env, String name, String value) {
        String was = env.get(name);
        if (was == null && SensitiveEnv.isSensitive(name, value)) {
            valueOf("variable", env, name);
            return myself;
        }
        if (was == null || !(SensitiveEnv.isSensitive(name, value) || SensitiveEnv.isSensitive(name, was))) {
            return entry("variable", env, name, value);
        }
        isNotNull();
        return was.equals(value)
                ? myself
                : refuse("expected another value of variable " + name + "; both are masked, as the name is sensitive");
    }

    /**
     * Fails if the subject has secrets in plain text, which its golden file would then have too.
     *
     * @param places paths of the secrets, such as {@code worker.env.AWS_SECRET_ACCESS_KEY}
     * @throws AssertionError when there is a path
     */
    protected final void noSecrets(List<String> places) {
        if (!places.isEmpty()) {
            String name = places.get(0).substring(places.get(0).lastIndexOf('.') + 1);
            throw new AssertionError(described() + ": " + String.join(", ", places)
                    + " would be in plain text in a golden file, but the name is that of a secret; refer to a Secret"
                    + " instead, for example secretEnv(\"" + name + "\", \"my-secret\", \"" + name + "\")");
        }
    }

    /** Fails when the environment variable exists; the message masks the value of a secret. */
    protected final S noVariable(Map<String, String> env, String name) {
        return noEntry("variable", SensitiveEnv.shown(env), name);
    }

    /** Fails unless the map has this entry. */
    protected final S entry(String what, Map<String, String> map, String name, String value) {
        valueOf(what, map, name, "=" + shown(value))
                .filter(was -> !was.equals(value))
                .ifPresent(was -> different(
                        value,
                        was,
                        "expected " + what + " " + name + "=" + shown(value, was) + ", was " + shown(was, value)));
        return myself;
    }

    /** Returns the value of a name in a map; if there is none, fails and returns empty. */
    protected final Optional<String> valueOf(String what, Map<String, String> map, String name) {
        return valueOf(what, map, name, "");
    }

    private Optional<String> valueOf(String what, Map<String, String> map, String name, String expected) {
        isNotNull();
        Optional<String> was = Optional.ofNullable(map.get(name));
        if (was.isEmpty()) {
            refuse("expected " + what + " " + name + expected + ", but there is no " + name
                    + suggestion(name, map.keySet()));
        }
        return was;
    }

    /** Fails when a map has an entry of this name. */
    protected final S noEntry(String what, Map<String, String> map, String name) {
        isNotNull();
        String was = map.get(name);
        return was == null ? myself : refuse("expected no " + what + " " + name + ", was " + shown(was));
    }

    /**
     * Returns the end of a message about a missing name: the existing name that is most similar, and all existing
     * names.
     */
    protected static String suggestion(String name, Collection<String> known) {
        String names = known.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        String more = known.size() <= MOST_NAMES ? "" : " and " + (known.size() - MOST_NAMES) + " more";
        String there = known.isEmpty() ? "here are none" : "here are " + names + more;
        return SpellingSuggestion.to(name, known)
                .map(near -> "; did you mean \"" + near + "\"? T" + there)
                .orElse("; t" + there);
    }

    /**
     * Returns a value as messages show it: texts in quotes, lists with commas, other values by {@code toString};
     * shortened in the middle if long.
     */
    protected static String shown(Object value) {
        return TruncatedText.cut(whole(value)) + count(value, whole(value));
    }

    /** Returns a value as a message shows it beside another value; of long values, only the part that differs. */
    private static String shown(Object value, Object other) {
        String whole = whole(value);
        return TruncatedText.cut(whole, whole(other)) + count(value, whole);
    }

    /**
     * Returns the number of elements, in brackets, if the message does not show all of them; otherwise an empty text.
     */
    private static String count(Object value, String whole) {
        return value instanceof Collection<?> all && !TruncatedText.cut(whole).equals(whole)
                ? " (" + all.size() + " in all)"
                : "";
    }

    private static String whole(Object value) {
        if (value instanceof CharSequence) {
            return "\"" + value.toString().replace("\\", "\\\\").replace("\n", "\\n") + "\"";
        }
        if (value instanceof Collection<?> all) {
            return all.isEmpty() ? "none" : all.stream().map(EdlAssert::whole).collect(Collectors.joining(", "));
        }
        String text = value.toString();
        return text.isEmpty() ? "none" : text;
    }

    /** Returns the words of an array in order. */
    protected static List<String> listed(String... words) {
        return new ArrayList<>(List.of(words));
    }

    private void different(Object expected, Object was, String message) {
        guarded(() -> {
            throw failureWithActualExpected(was, expected, "%s", subject() + ": " + message);
        });
    }
}
