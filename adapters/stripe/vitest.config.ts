import { defineConfig } from 'vitest/config';

// Tests start processes, which is slow on a busy machine.
export default defineConfig({ test: { testTimeout: 30_000, expect: { poll: { timeout: 20_000 } } } });
