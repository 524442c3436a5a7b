"""Library: what commands do with traces and bindings of the library fuzzer."""
