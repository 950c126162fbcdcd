package dev.edl.operators.controller.internal;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of {@code HOST:PORT} addresses on which a server listens. */
public final class ListenAddressParser {
    private static final Pattern FORM = Pattern.compile("(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):([0-9]{1,5})");

    private ListenAddressParser() {}

    /**
     * Parses an address of the form {@code HOST:PORT}.
     *
     * @param option name of the command line option, for the message
     * @throws IllegalArgumentException when the text has another form; the message has the option's name
     */
    public static InetSocketAddress of(String option, String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group(2)) > 65_535) {
            throw new IllegalArgumentException(option + " must be HOST:PORT, was \"" + text
                    + "\"; for example 127.0.0.1:8080, or 0.0.0.0:8080 in a pod");
        }
        return new InetSocketAddress(form.group(1), Integer.parseInt(form.group(2)));
    }
}
