import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'conformance/**/*.test.ts'],
    // Some tests start the server as a process of its own, which takes seconds on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
