import { defineConfig } from 'vitest/config';

// Tests start a real NATS and a whole gateway, which takes its time on a machine that is busy.
export default defineConfig({ test: { testTimeout: 30_000, hookTimeout: 60_000 } });
