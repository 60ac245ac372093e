import { defineConfig } from 'vitest/config';

/** Limits for a busy machine. No test waits for a duration. */
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } });
