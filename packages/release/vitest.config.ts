import { defineConfig } from 'vitest/config';

/** Limits for a busy disk: tests of releases write whole repositories. */
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 120_000 } });
