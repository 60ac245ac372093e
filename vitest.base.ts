import { defineConfig } from 'vitest/config';

/** Settings of packages whose tests wait for real servers, on machines of any load. */
export default defineConfig({
  test: {
    // The files of a package share one process. To import its modules again for each file took a fifth of the time.
    isolate: false,
    // A test that guarantees a duration asserts it itself.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
