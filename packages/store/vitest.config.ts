import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests wait for real servers under any load. Tests that guarantee a duration assert it themselves.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
