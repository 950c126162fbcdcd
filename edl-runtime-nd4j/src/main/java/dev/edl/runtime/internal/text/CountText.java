package dev.edl.runtime.internal.text;

import java.util.Locale;

/** Formats counts for people: {@code 1 task}, {@code 1,437 records}. */
public final class CountText {
    private CountText() {}

    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    public static String count(long number, String one) {
        return count(number, one, one + "s");
    }

    public static String count(long number, String one, String many) {
        return number(number) + " " + (number == 1 ? one : many);
    }
}
