package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One end with TLS, the other without. */
@Timeout(60)
class TlsMismatchTest {
    private static final String REFUSAL = "EDLF, and the reason in words";

    private final ChannelSecurity tls = ChannelSecurity.token(new SecureRandom());
    private final ChannelSecurity plain = ChannelSecurity.plain();

    @Test
    void a_plain_caller_of_an_end_with_tls_gets_the_reason_in_plain() throws Exception {
        try (Pair pair = Pair.of(plain, tls)) {
            Pair.send(pair.caller(), "EDLF, and a greeting");

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(100)))
                    .isInstanceOf(TlsMismatchException.class)
                    .hasMessage("the called end uses TLS and the caller does not: EDL_TLS must be equal at both ends,"
                            + " for example EDL_TLS=token");
            Pair.send(pair.called(), REFUSAL);
            assertThat(Pair.receive(pair.caller(), REFUSAL.length())).isEqualTo(REFUSAL);
            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(100)))
                    .as("nothing is read in plain")
                    .isInstanceOf(TlsMismatchException.class);
        }
    }

    @Test
    void a_caller_with_tls_of_a_plain_end_gets_the_reason() throws Exception {
        try (Pair pair = Pair.of(tls, plain)) {
            CompletableFuture<Integer> caller = Pair.start(() -> pair.caller().write(ByteBuffer.allocate(1)));

            String reason = "the caller uses TLS and the called end does not: EDL_TLS must be equal at both ends,"
                    + " for example EDL_TLS=token";
            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1000)))
                    .isInstanceOf(TlsMismatchException.class)
                    .hasMessage(reason);
            Pair.send(pair.called(), REFUSAL);
            assertThatThrownBy(() -> Pair.result(caller))
                    .isInstanceOf(TlsMismatchException.class)
                    .hasMessage(reason);
            assertThatThrownBy(() -> pair.caller().write(ByteBuffer.allocate(1)))
                    .as("a caller never sends in plain")
                    .isInstanceOf(TlsMismatchException.class);
        }
    }

    @Test
    void another_protocol_is_no_plain_caller() throws Exception {
        try (Pair pair = Pair.of(plain, tls)) {
            Pair.send(pair.caller(), "GET / HTTP/1.1\r\n");

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SSLException.class)
                    .hasMessageStartingWith("a TLS record must have a type from 20 to 23")
                    .hasMessageContaining("had type 71");
        }
    }

    @Test
    void plain_ends_exchange_bytes() throws Exception {
        try (Pair pair = Pair.of(plain, plain)) {
            ByteBuffer into = ByteBuffer.allocate(4);
            assertThat(pair.called().readArrived(into)).isZero();
            Pair.send(pair.caller(), "EDLF");
            pair.caller().shutdownOutput();

            assertThat(Pair.receive(pair.called(), 4)).isEqualTo("EDLF");
            assertThat(pair.called().read(into)).isEqualTo(-1);
            assertThat(pair.caller().binding())
                    .isEqualTo(ChannelBinding.PLAIN)
                    .isEqualTo(pair.called().binding());
        }
    }
}
