package dev.edl.runtime.engine;

import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.ports.PassContract;

class LocalPassContractTest extends PassContract {
    @Override
    protected Run start(Pass<?> pass) throws Exception {
        return new OnePass<>(pass);
    }
}
