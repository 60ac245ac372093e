import { defineConfig } from 'vitest/config';

// Each file starts a whole platform; two at the same time would disturb each other's measurements on a small machine.
const shared = { fileParallelism: false, hookTimeout: 120_000, testTimeout: 30_000 };

export default defineConfig({
  test: {
    fileParallelism: false,
    projects: [
      {
        test: {
          ...shared,
          name: 'system',
          include: ['**/*.test.ts'],
          exclude: ['browser/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['browser/**/*.test.ts'],
          globalSetup: 'browser/support/global-setup.ts',
          testTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
