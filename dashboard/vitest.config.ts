import { defineConfig } from 'vitest/config';

// Some tests start the built server as a process of its own, which takes its time on a machine that is busy.
export default defineConfig({
  test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
});
