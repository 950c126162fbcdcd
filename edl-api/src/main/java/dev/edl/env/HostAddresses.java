package dev.edl.env;

/** What kind of host an address names. */
final class HostAddresses {
    private HostAddresses() {}

    /** Whether a host is an IPv4 address. */
    static boolean isIp(String host) {
        return host.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    }

    /** Whether a host is an IPv4 address of the machine itself. */
    static boolean isLoopback(String host) {
        return isIp(host) && host.startsWith("127.");
    }
}
