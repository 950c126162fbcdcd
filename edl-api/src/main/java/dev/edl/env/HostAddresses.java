package dev.edl.env;

/** Classification of a host's address: IPv4 address, loopback address or name. */
final class HostAddresses {
    private HostAddresses() {}

    /** Returns whether a host is an IPv4 address. */
    static boolean isIp(String host) {
        return host.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    }

    /** Returns whether a host is an IPv4 loopback address. */
    static boolean isLoopback(String host) {
        return isIp(host) && host.startsWith("127.");
    }
}
