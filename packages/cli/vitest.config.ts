import { defineConfig } from 'vitest/config';

/** Limits for a busy machine; a test that promises a time states it itself. */
export default defineConfig({ test: { testTimeout: 15_000, expect: { poll: { timeout: 5_000 } } } });
