import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Each file starts a whole platform; two at once would measure each other on a small machine.
    fileParallelism: false,
    hookTimeout: 120_000,
    testTimeout: 30_000,
  },
});
