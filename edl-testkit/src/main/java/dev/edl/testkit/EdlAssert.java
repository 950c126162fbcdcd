package dev.edl.testkit;

import dev.edl.spec.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * What the assertions of this module have in common: a failure names whom it is about, quotes what was expected and what
 * was there, and suggests the nearest name for one that is not there.
 *
 * <p>An assertion is used by one thread. {@code as("…")} puts a description before the message, as with every AssertJ
 * assertion.
 *
 * @param <S> the assertion itself
 * @param <A> what it is about
 */
public abstract class EdlAssert<S extends EdlAssert<S, A>, A> extends AbstractAssert<S, A> {
    /** An assertion; {@code self} is its class. */
    protected EdlAssert(@Nullable A actual, Class<S> self) {
        super(actual, self);
    }

    /** Whom a failure is about: {@code job "mnist", role worker}. */
    protected abstract String subject();

    /** The subject, behind the description that {@code as("…")} gave. */
    protected final String described() {
        return (info.hasDescription() ? "[" + info.descriptionText() + "] " : "") + subject();
    }

    /** Fails: the subject, a colon, and the message. */
    protected final S refuse(String message) {
        failWithMessage("%s", subject() + ": " + message);
        return myself;
    }

    /** Fails unless the two are equal. */
    protected final S same(String what, Object expected, Object was) {
        isNotNull();
        if (!expected.equals(was)) {
            different(expected, was, "expected " + what + " " + shown(expected) + ", was " + shown(was));
        }
        return myself;
    }

    /** Fails unless there is a value and it is this one. */
    protected final S present(String what, Object expected, Optional<?> was) {
        isNotNull();
        if (was.isEmpty()) {
            return refuse("expected " + what + " " + shown(expected) + ", but there is none");
        }
        return same(what, expected, was.get());
    }

    /** Fails when there is a value. */
    protected final S absent(String what, Optional<?> was) {
        isNotNull();
        was.ifPresent(value -> refuse("expected no " + what + ", was " + shown(value)));
        return myself;
    }

    /** Fails unless a map has an entry of this name and value. */
    protected final S entry(String what, Map<String, String> map, String name, String value) {
        String was = valueOf(what, map, name, "=" + shown(value));
        if (!value.equals(was)) {
            different(value, was, "expected " + what + " " + name + "=" + shown(value) + ", was " + shown(was));
        }
        return myself;
    }

    /** The value of a name in a map; fails when there is none. */
    protected final String valueOf(String what, Map<String, String> map, String name) {
        return valueOf(what, map, name, "");
    }

    private String valueOf(String what, Map<String, String> map, String name, String expected) {
        isNotNull();
        String was = map.get(name);
        if (was == null) {
            refuse("expected " + what + " " + name + expected + ", but there is no " + name
                    + suggestion(name, map.keySet()));
        }
        return Objects.requireNonNull(was, name);
    }

    /** Fails when a map has an entry of this name. */
    protected final S noEntry(String what, Map<String, String> map, String name) {
        isNotNull();
        String was = map.get(name);
        return was == null ? myself : refuse("expected no " + what + " " + name + ", was " + shown(was));
    }

    /** The end of a message on a name that is not there: the nearest one, and all there are. */
    protected static String suggestion(String name, Collection<String> known) {
        String there = known.isEmpty() ? "here are none" : "here are " + String.join(", ", known);
        return Nearest.to(name, known)
                .map(near -> "; did you mean \"" + near + "\"? T" + there)
                .orElse("; t" + there);
    }

    /** A value as messages show it: texts in quotes, lists with commas, the rest as it prints. */
    protected static String shown(Object value) {
        if (value instanceof CharSequence) {
            return "\"" + value.toString().replace("\\", "\\\\").replace("\n", "\\n") + "\"";
        }
        if (value instanceof Collection<?> all) {
            return all.isEmpty() ? "none" : all.stream().map(EdlAssert::shown).collect(Collectors.joining(", "));
        }
        String text = value.toString();
        return text.isEmpty() ? "none" : text;
    }

    /** The words of an array, in its order. */
    protected static List<String> listed(String... words) {
        return new ArrayList<>(List.of(words));
    }

    private void different(Object expected, Object was, String message) {
        throwAssertionError(failureWithActualExpected(was, expected, "%s", subject() + ": " + message));
    }

    private static void throwAssertionError(AssertionError failure) {
        throw failure;
    }
}
