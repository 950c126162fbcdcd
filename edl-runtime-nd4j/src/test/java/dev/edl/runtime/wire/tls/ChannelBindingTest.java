package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Certificates of both ends, for the token's proof. */
@Timeout(60)
class ChannelBindingTest {
    private final ChannelSecurity one = ChannelSecurity.token(new SecureRandom());
    private final ChannelSecurity other = ChannelSecurity.token(new SecureRandom());

    private static ChannelBinding caller(Pair pair) throws Exception {
        CompletableFuture<ChannelBinding> caller = Pair.start(pair.caller()::binding);
        pair.called().binding();
        return Pair.result(caller);
    }

    @Test
    void both_ends_see_the_same_certificates() throws Exception {
        try (Pair pair = Pair.of(one, other)) {
            ChannelBinding binding = caller(pair);

            assertThat(pair.called().binding()).isEqualTo(binding);
            assertThat(binding.caller()).isNotEqualTo(binding.called());
        }
    }

    @Test
    void both_ends_see_the_same_certificates_when_they_come_back() throws Exception {
        try (Pair first = Pair.of(one, other);
                Pair second = Pair.of(one, other)) {
            ChannelBinding binding = caller(first);
            first.close();

            assertThat(caller(second)).isEqualTo(binding);
            assertThat(second.called().binding()).isEqualTo(binding);
        }
    }

    @Test
    void the_ends_of_a_relay_see_different_certificates() throws Exception {
        ChannelSecurity relay = ChannelSecurity.token(new SecureRandom());
        try (Pair near = Pair.of(one, relay);
                Pair far = Pair.of(relay, other)) {
            near.shaken();
            far.shaken();
            CompletableFuture<String> passed = Pair.start(() -> {
                String text = Pair.receive(near.called(), 5);
                Pair.send(far.caller(), text);
                return text;
            });
            Pair.send(near.caller(), "there");
            assertThat(Pair.receive(far.called(), 5)).isEqualTo(Pair.result(passed));
            ChannelBinding caller = near.caller().binding();
            ChannelBinding called = far.called().binding();

            assertThat(caller).isNotEqualTo(called);
            assertThat(caller.caller()).isNotEqualTo(called.caller());
            assertThat(caller.called()).isNotEqualTo(called.called());
        }
    }

    @Test
    void text_has_the_transport_and_both_hashes() {
        assertThat(new ChannelBinding("tls", "01".repeat(32), "ab".repeat(32)).text())
                .isEqualTo("tls/" + "01".repeat(32) + "/" + "ab".repeat(32));
        assertThat(ChannelBinding.PLAIN.text()).isEqualTo("plain/" + "00".repeat(32) + "/" + "00".repeat(32));
    }
}
