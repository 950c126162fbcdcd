package dev.edl.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/** How the values of this package are generated: package-private implementations behind the interfaces. */
@Target({ElementType.TYPE, ElementType.PACKAGE})
@Retention(RetentionPolicy.CLASS)
@Value.Style(
        typeImmutable = "Immutable*",
        visibility = Value.Style.ImplementationVisibility.PACKAGE,
        overshadowImplementation = true,
        jdkOnly = true,
        depluralize = false,
        deferCollectionAllocation = true)
@interface EdlStyle {}
