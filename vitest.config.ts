import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { fileTimes } from './packages/test-kit/src/vitest/file-times.ts';

/**
 * The tests of every package. `npm test` sets TEST_TIER to `fast`, `npm run test:system` to `system`; without it, Vitest runs the files
 * that it is given. Files in a folder `system` need a whole platform, many processes, or long load.
 */
const TIER = process.env['TEST_TIER'] ?? 'all';
const SYSTEM_TESTS = '**/system/**';

// Every process that a test starts compiles the same modules.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('.cache/compiled', import.meta.url));

const setupFiles = [fileURLToPath(new URL('packages/test-kit/src/vitest/measure-file.ts', import.meta.url))];

export default defineConfig({
  test: {
    // More than cores, because much of the time of a test is waiting.
    maxWorkers: '150%',
    reporters: ['default', fileTimes(`.cache/tests/${TIER}.json`)],
    slowTestThreshold: 5_000,
    exclude: ['**/node_modules/**', ...(TIER === 'fast' ? [SYSTEM_TESTS] : [])],
    // The limit suits machines of any load. A test that guarantees a duration asserts it itself.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      provider: 'v8',
      reportsDirectory: '.cache/coverage',
      reporter: ['json-summary'],
      include: ['{gateway,dashboard,services/*,packages/*,adapters/*}/src/**/*.ts'],
      // They run in processes and threads that the tests start, where coverage is not measured.
      exclude: [
        'packages/embedded-mongodb/src/main.ts',
        'packages/embedded-mongodb/src/reading/reader-thread.ts',
      ],
      thresholds: { 'packages/embedded-mongodb/src/**': { lines: 95, branches: 90 } },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          setupFiles,
          // Files share the processes of the workers. To import every module again for each file took a fifth of the time.
          isolate: false,
          include: testsIn('{gateway,services/*,packages/*,adapters/*}'),
        },
      },
      {
        extends: true,
        // The plugin compiles the components of the dashboard and of its dependencies. The settings of SvelteKit are in its vite.config.ts.
        root: './dashboard',
        plugins: [svelte({ configFile: false })],
        test: { name: 'dashboard', setupFiles, isolate: false, include: testsIn('{src,test}') },
      },
      {
        extends: true,
        test: {
          name: 'repository',
          setupFiles,
          isolate: false,
          include: testsIn('tests/{repository,load,support}'),
        },
      },
      {
        extends: true,
        test: {
          name: 'platform',
          setupFiles: [...setupFiles, './tests/support/openapi/check-responses.ts'],
          globalSetup: [
            './tests/support/browser/find-browser.ts',
            './tests/support/platform/start-shared-platform.ts',
          ],
          isolate: false,
          include: testsIn('tests'),
          exclude: ['tests/{repository,load,support}/**', 'tests/system/{helm,faults}/**'],
          testTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'helm',
          setupFiles,
          globalSetup: ['./tests/system/helm/support/find-helm.ts'],
          include: ['tests/system/helm/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'faults', setupFiles, include: ['tests/system/faults/**/*.test.ts'] },
      },
    ],
  },
});

function testsIn(folders: string): string[] {
  return [`${folders}/${TIER === 'system' ? SYSTEM_TESTS : '**'}/*.test.{ts,mjs}`];
}
