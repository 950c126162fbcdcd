package dev.edl.k8s.lives;

import dev.edl.k8s.client.ApiContract;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The in-memory API server fulfills the contract of a real one. */
class MemoryApiTest {
    private static final int MINUTE = 60_000;

    static Set<String> checks() {
        return ApiContract.checks().keySet();
    }

    @ParameterizedTest
    @MethodSource("checks")
    void the_in_memory_server_keeps_the_contract(String check) {
        Timeline time = new Timeline();
        MemoryServer server = new MemoryServer(time);
        MemoryApi api = new MemoryApi("contract", server, time, Network.CLEAR);
        ApiContract contract = new ApiContract(api, "main:1", what -> {
            time.pass(MINUTE);
            if (!what.getAsBoolean()) {
                throw new AssertionError("not within a minute");
            }
        });

        contract.run(check);
    }
}
