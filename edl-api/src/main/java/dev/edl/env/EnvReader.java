package dev.edl.env;

import dev.edl.internal.text.ShellWords;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads environment variables as typed values, and checks names and values for environment variables. A check throws
 * {@code IllegalArgumentException} with the variable, its value and the valid form.
 */
final class EnvReader {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]+");
    private static final Pattern ADDRESS = Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+]):[1-9]\\d{0,4}");
    private static final Pattern TASK_ADDRESS =
            Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+(?:%[A-Za-z0-9._-]+)?])(?::(?<port>[1-9]\\d{0,4}))?");
    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,9}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private final Map<String, String> variables;

    EnvReader(Map<String, String> variables) {
        this.variables = variables;
    }

    Optional<String> optional(String name) {
        return Optional.ofNullable(variables.get(name));
    }

    String required(String name, String example) {
        return optional(name)
                .orElseThrow(
                        () -> new IllegalArgumentException(name + " is missing; for example " + name + "=" + example));
    }

    int number(String name, int example) {
        return number(name, required(name, Integer.toString(example)), example);
    }

    OptionalInt optionalNumber(String name) {
        Optional<String> value = optional(name);
        return value.isPresent() ? OptionalInt.of(number(name, value.get())) : OptionalInt.empty();
    }

    /** Returns whether a variable is set; its value must be {@code 1}, or {@code 0} if it is not. */
    boolean flag(String name) {
        Optional<String> value = optional(name).filter(text -> !text.equals("0"));
        value.filter(text -> !text.equals("1")).ifPresent(text -> {
            throw new IllegalArgumentException(
                    name + " must be 1 or left out, was \"" + text + "\"; for example " + name + "=1");
        });
        return value.isPresent();
    }

    static int number(String name, String value) {
        return number(name, value, 4);
    }

    /** Parses a whole number without sign or leading zeros, so that writing it gives the same text. */
    private static int number(String name, String value, int example) {
        if (NUMBER.matcher(value).matches()) {
            long number = Long.parseLong(value);
            if (number <= Integer.MAX_VALUE) {
                return (int) number;
            }
        }
        throw new IllegalArgumentException(
                name + " must be a whole number, at least 0, was \"" + value + "\"; for example " + example);
    }

    /** Returns a text without the blanks, plus sign and leading zeros that Python's {@code int} accepts. */
    static String plainNumber(String text) {
        return text.strip().replaceFirst("^\\+?0*(?=\\d)", "");
    }

    static void number(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", was " + value);
        }
    }

    /** Returns the variables as shell assignments: {@code A=1 B=2}. */
    static String shell(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> variable.getKey() + "="
                        + (variable.getValue().isEmpty() ? "" : ShellWords.quote(variable.getValue())))
                .collect(Collectors.joining(" "));
    }

    /** Checks that a host is a name or an IPv4 address: letters, digits, dashes, dots and underscores. */
    static void host(String name, String host) {
        if (!HOST.matcher(host).matches()) {
            throw new IllegalArgumentException(name
                    + " must be a host name or an IPv4 address: letters, digits, dashes, dots and underscores, was \""
                    + host + "\"; for example worker-0.default.svc");
        }
    }

    /**
     * Checks that a host is a name, an IPv4 address, or an IPv6 address with or without brackets, for frameworks that
     * receive the port in another variable.
     */
    static void hostOrIpv6(String name, String host) {
        boolean inBrackets = host.startsWith("[") && host.endsWith("]");
        if (!IPV6.matcher(inBrackets ? host.substring(1, host.length() - 1) : host)
                .matches()) {
            host(name, host);
        }
    }

    /** Returns whether a word has only letters, digits, dashes, dots and underscores, which need no escape in JSON. */
    static boolean isWord(String word) {
        return WORD.matcher(word).matches();
    }

    static void checkWord(String path, String word) {
        if (!isWord(word)) {
            throw new IllegalArgumentException(path + " must be letters, digits, dashes, dots and underscores, was \""
                    + word + "\"; for example worker");
        }
    }

    /** Checks that an address is {@code host:port}. */
    static void checkAddress(String name, String address) {
        if (!isAddress(address)) {
            throw new IllegalArgumentException(name + " must be host:port, with a port from 1 to 65535, was \""
                    + address + "\"; for example ps-0.default.svc:2222");
        }
    }

    /**
     * Returns whether an address is {@code host:port} or {@code host}, which needs no escape in JSON. An IPv6 address
     * has brackets, and may have a zone. TensorFlow accepts any text.
     */
    static boolean isTaskAddress(String address) {
        Matcher parts = TASK_ADDRESS.matcher(address);
        return parts.matches() && (parts.group("port") == null || Integer.parseInt(parts.group("port")) <= 65_535);
    }

    /**
     * Returns the exception for a text that is no {@linkplain #isTaskAddress address of a task}.
     *
     * @param shown the text as the message shows it
     */
    static IllegalArgumentException wrongTaskAddress(String name, String shown) {
        return new IllegalArgumentException(name + " must be host or host:port, with a port from 1 to 65535, was "
                + shown + "; for example ps-0.default.svc:2222");
    }

    static boolean isAddress(String address) {
        return ADDRESS.matcher(address).matches()
                && Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)) <= 65_535;
    }
}
