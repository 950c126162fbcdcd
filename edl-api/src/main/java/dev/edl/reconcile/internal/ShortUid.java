package dev.edl.reconcile.internal;

import java.util.regex.Pattern;

/**
 * What a state keeps of the uid of an object. The random digits of a UUID cannot be compressed, and a state has one for each replica.
 * A uid is only compared with those of other objects of the same name: eight digits differ but once in four thousand million.
 *
 * <p>That is enough to choose what is deleted. The deletion itself has the whole uid of the object that was found as its precondition.
 * At worst the next driver takes a server's successor for the server that it knew, and deletes it once, which costs a relaunch. It takes an
 * equal ending of two random uids, of objects of one name, between the last write of the record and the first observation.
 */
public final class ShortUid {
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    private static final int DIGITS = 8;

    private ShortUid() {}

    /** Returns the last eight digits of a UUID; another uid as it is. */
    public static String of(String uid) {
        return UUID.matcher(uid).matches() ? uid.substring(uid.length() - DIGITS) : uid;
    }

    /** Returns whether two uids, each whole or short, are of one object of a name; two whole ones are compared as they are. */
    public static boolean same(String one, String other) {
        return one.equals(other) || (one.length() != other.length() && of(one).equals(of(other)));
    }
}
