import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests wait for real servers on machines under any load. They assert their own time guarantees.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
