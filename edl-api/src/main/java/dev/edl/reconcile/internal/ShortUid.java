package dev.edl.reconcile.internal;

import java.util.regex.Pattern;

/**
 * Short form of an object's uid in a stored job state: its last eight digits. The random digits of a UUID do not
 * compress, and a state has one for each replica. A uid is only compared with those of other objects of the same name:
 * a collision has probability one in four thousand million.
 *
 * <p>The short form is enough to choose the objects to delete. The deletion itself has the full uid of the observed
 * object as its precondition. A collision needs two objects of one name between the last write of the job record and
 * the first observation by the next driver. That driver then mistakes the successor of, for example, a parameter server
 * for its predecessor and deletes it once, which costs a relaunch.
 */
public final class ShortUid {
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    private static final int DIGITS = 8;

    private ShortUid() {}

    /** Returns the last eight digits of a UUID; any other uid unchanged. */
    public static String of(String uid) {
        return UUID.matcher(uid).matches() ? uid.substring(uid.length() - DIGITS) : uid;
    }

    /** Returns whether two uids, each full or short, are of the same object; two full uids are compared exactly. */
    public static boolean same(String one, String other) {
        return one.equals(other) || (one.length() != other.length() && of(one).equals(of(other)));
    }
}
