package dev.edl.examples;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.util.Set;

/** All classes of this module, in any package. */
class ExamplesClasses implements LocationProvider {
    @Override
    public Set<Location> get(Class<?> testClass) {
        return Set.of(Location.of(
                TrainingFlags.class.getProtectionDomain().getCodeSource().getLocation()));
    }
}
