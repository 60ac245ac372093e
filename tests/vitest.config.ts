import { defineConfig } from 'vitest/config';
import { slowestFiles } from './slowest-files.ts';

const timeouts = { hookTimeout: 120_000, testTimeout: 30_000 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', slowestFiles],
    slowTestThreshold: 5_000,
    projects: [
      {
        test: {
          ...timeouts,
          name: 'repository',
          include: [
            '*.test.ts',
            'mixed-versions/**/*.test.ts',
            'programme/**/*.test.ts',
            'load/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...timeouts,
          name: 'helm',
          include: ['helm/**/*.test.ts'],
          globalSetup: ['helm/support/find-helm.ts'],
        },
      },
      {
        test: {
          ...timeouts,
          name: 'journeys',
          include: [
            'attacks/**/*.test.ts',
            'monitoring/**/*.test.ts',
            'integration/**/*.test.ts',
            'browser/**/*.test.ts',
            'tracing/**/*.test.ts',
            'erasure/**/*.test.ts',
          ],
          setupFiles: ['openapi/check-responses.ts'],
          globalSetup: [
            'browser/support/find-browser.ts',
            'monitoring/find-promtool.ts',
            'platform/start-shared-platform.ts',
          ],
          testTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        // They measure time, so each runs alone, after all others.
        test: {
          ...timeouts,
          name: 'faults',
          include: ['faults/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...timeouts,
          name: 'programmes',
          include: ['faults/programmes/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
