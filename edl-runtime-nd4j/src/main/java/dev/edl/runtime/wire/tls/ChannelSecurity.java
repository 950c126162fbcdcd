package dev.edl.runtime.wire.tls;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Encryption of all connections of a process: none, TLS with a self-signed certificate, or TLS with certificates of the
 * platform. Both ends of a job need the same. Safe for several threads.
 *
 * <pre>{@code
 * ChannelSecurity security = ChannelSecurity.of(environment.get(ChannelSecurity.OPTION), random, System::nanoTime);
 * PeerChannel channel = security.caller(SocketChannel.open(address));
 * channel.write(hello);                    // makes the handshake first
 * String covered = channel.binding().text(); // the token's proof covers them
 * }</pre>
 */
public final class ChannelSecurity {
    /** Name of the environment variable with the text for {@link #of}. */
    public static final String OPTION = "EDL_TLS";

    /** Value of {@value #OPTION} without TLS. */
    public static final String OFF = "off";

    /** Value of {@value #OPTION} for self-signed certificates, which the token's proof covers. */
    public static final String TOKEN = "token";

    private final String text;
    private final @Nullable Supplier<TlsContext> contexts;
    private final TlsRecordBuffers buffers = new TlsRecordBuffers();

    private ChannelSecurity(String text, @Nullable Supplier<TlsContext> contexts) {
        this.text = text;
        this.contexts = contexts;
    }

    /** Uses no TLS. */
    public static ChannelSecurity plain() {
        return new ChannelSecurity(OFF, null);
    }

    /**
     * Uses TLS with a new self-signed certificate, which is in memory only. Any certificate of a peer is accepted, so
     * the proof of the token must cover {@link PeerChannel#binding}.
     */
    public static ChannelSecurity token(SecureRandom random) {
        TlsContext context = TlsContext.selfSigned(random);
        return new ChannelSecurity(TOKEN, () -> context);
    }

    /**
     * Uses TLS with the certificate of a folder, and accepts peers with a certificate of its authority; names are not
     * compared. Changed files are used by the connections that begin a second later.
     *
     * @param folder folder with {@code tls.crt}, {@code tls.key} and {@code ca.crt}, as Kubernetes mounts them
     * @param nanoTime monotonic time in nanoseconds
     * @throws IllegalArgumentException when a file has no valid content
     * @throws IOException when a file cannot be read
     */
    public static ChannelSecurity certificates(Path folder, SecureRandom random, LongSupplier nanoTime)
            throws IOException {
        return new ChannelSecurity(folder.toString(), new CertificateFolder(folder, random, nanoTime)::context);
    }

    /**
     * Reads the value of {@value #OPTION}: {@code off}, {@code token}, or the path of a folder with certificates.
     *
     * @throws IllegalArgumentException when the value is missing, or a file has no valid content
     * @throws IOException when a file cannot be read
     */
    public static ChannelSecurity of(@Nullable String value, SecureRandom random, LongSupplier nanoTime)
            throws IOException {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(OPTION + " must be " + OFF + ", " + TOKEN + " or the path of a folder"
                    + " with tls.crt, tls.key and ca.crt, was \"" + (value == null ? "" : value) + "\"; for example "
                    + TOKEN);
        }
        return switch (value) {
            case OFF -> plain();
            case TOKEN -> token(random);
            default -> certificates(Path.of(value), random, nanoTime);
        };
    }

    /** Returns the JDK's context with a new self-signed certificate, for a measurement of TLS without channels. */
    public static SSLContext jdkContext(SecureRandom random) {
        return TlsContext.selfSigned(random).jdkContext();
    }

    /** Returns the caller's end of a connection, over a blocking socket that may connect later. */
    public PeerChannel caller(SocketChannel socket) {
        return channel(socket, true);
    }

    /** Returns the called end of a connection, over an accepted blocking socket. */
    public PeerChannel called(SocketChannel socket) {
        return channel(socket, false);
    }

    private PeerChannel channel(SocketChannel socket, boolean caller) {
        return contexts == null
                ? new PlainChannel(socket, caller)
                : new TlsChannel(socket, contexts.get().engine(caller), buffers);
    }

    /** Returns the value of {@value #OPTION}. */
    @Override
    public String toString() {
        return text;
    }
}
