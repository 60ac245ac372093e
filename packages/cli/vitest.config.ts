import { defineConfig } from 'vitest/config';

/** Limits for a busy machine. A test that asserts a duration sets its own limit. */
export default defineConfig({ test: { testTimeout: 15_000, expect: { poll: { timeout: 5_000 } } } });
