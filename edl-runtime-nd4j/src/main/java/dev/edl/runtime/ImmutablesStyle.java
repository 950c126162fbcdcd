package dev.edl.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/** Style of this package's generated values: package-private implementations of public types. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
@Value.Style(visibility = Value.Style.ImplementationVisibility.PACKAGE, overshadowImplementation = true, jdkOnly = true)
@interface ImmutablesStyle {}
