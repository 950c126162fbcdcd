package dev.edl.env;

import dev.edl.spec.ElasticBounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Arguments of {@code horovodrun} for elastic training with a discovery script. Immutable.
 *
 * @param processes number of processes at the start, within the bounds
 * @param bounds smallest and largest number of processes, each of which takes one slot of a host
 * @param script path of the discovery script; absolute, without blanks and quotes
 * @param slots number of slots of each host for which the script prints no number
 * @param timeoutSeconds seconds that a restart waits for enough slots, at least 1; Horovod's default is 600
 * @param resets number of restarts after which the job fails, at least 0; empty for no limit
 * @see <a href="https://horovod.readthedocs.io/en/stable/elastic_include.html">Elastic Horovod</a>
 */
public record HorovodElastic(
        int processes,
        ElasticBounds bounds,
        String script,
        OptionalInt slots,
        OptionalInt timeoutSeconds,
        OptionalInt resets) {
    private static final String NP = "-np";
    private static final String MIN = "--min-np";
    private static final String MAX = "--max-np";
    private static final String SCRIPT = "--host-discovery-script";
    private static final String SLOTS = "--slots-per-host";
    private static final String TIMEOUT = "--elastic-timeout";
    private static final String RESETS = "--reset-limit";
    private static final List<String> KNOWN = List.of(NP, MIN, MAX, SCRIPT, SLOTS, TIMEOUT, RESETS);

    /**
     * Checks the numbers and the path.
     *
     * @throws IllegalArgumentException if a number lies outside its range, or the path is not as above
     */
    public HorovodElastic {
        if (!bounds.contains(processes)) {
            throw new IllegalArgumentException(NP + " must lie within " + bounds + ", was " + processes);
        }
        checkPath(SCRIPT, script);
        slots.ifPresent(n -> EnvReader.number(SLOTS, n, 1, Integer.MAX_VALUE));
        timeoutSeconds.ifPresent(n -> EnvReader.number(TIMEOUT, n, 1, Integer.MAX_VALUE));
        resets.ifPresent(n -> EnvReader.number(RESETS, n, 0, Integer.MAX_VALUE));
    }

    /** Returns the arguments of {@code horovodrun}. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                NP,
                Integer.toString(processes),
                MIN,
                Integer.toString(bounds.min()),
                MAX,
                Integer.toString(bounds.max()),
                SCRIPT,
                script));
        add(arguments, SLOTS, slots);
        add(arguments, TIMEOUT, timeoutSeconds);
        add(arguments, RESETS, resets);
        return Collections.unmodifiableList(arguments);
    }

    private static void add(List<String> arguments, String name, OptionalInt value) {
        value.ifPresent(number -> Collections.addAll(arguments, name, Integer.toString(number)));
    }

    /**
     * Parses the list that {@link #arguments} returns, with the arguments in any order.
     *
     * @throws IllegalArgumentException when an argument is unknown, missing or repeated, or has a wrong value
     */
    public static HorovodElastic parse(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!KNOWN.contains(name)) {
                throw new IllegalArgumentException("\"" + name
                        + "\" is not an elastic argument of horovodrun; valid are " + String.join(", ", KNOWN));
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " must be followed by a value");
            }
            if (values.put(name, arguments.get(i + 1)) != null) {
                throw new IllegalArgumentException(name + " is given twice; give each argument once");
            }
        }
        EnvReader env = new EnvReader(values);
        return new HorovodElastic(
                env.number(NP, 2),
                bounds(env.number(MIN, 1), env.number(MAX, 4)),
                env.required(SCRIPT, "/etc/edl/discover_hosts.sh"),
                env.optionalNumber(SLOTS),
                env.optionalNumber(TIMEOUT),
                env.optionalNumber(RESETS));
    }

    private static ElasticBounds bounds(int min, int max) {
        EnvReader.number(MIN, min, 1, Math.max(1, max));
        return new ElasticBounds(min, max);
    }

    static void checkPath(String name, String path) {
        if (!path.matches("/[A-Za-z0-9_./+-]*")) {
            throw new IllegalArgumentException(name
                    + " must be an absolute path of letters, digits, dashes, dots, plus signs and underscores, was \""
                    + path
                    + "\"; for example /etc/edl/discover_hosts.sh");
        }
    }

    /** Returns the arguments with spaces between them; none needs quotes in a shell. */
    @Override
    public String toString() {
        return String.join(" ", arguments());
    }
}
