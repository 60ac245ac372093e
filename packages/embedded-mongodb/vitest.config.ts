import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'conformance/**/*.test.ts'],
    // Some tests start a server process, which takes seconds on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // The last two run in processes and threads that the tests start, where coverage is not measured.
      exclude: ['src/**/*.test.ts', 'src/main.ts', 'src/reading/reader-thread.ts'],
      reportsDirectory: '.cache/coverage',
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 95, branches: 90 },
    },
  },
});
