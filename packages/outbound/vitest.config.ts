import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests wait for real servers on machines of any load; what they promise in seconds, they assert themselves.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
