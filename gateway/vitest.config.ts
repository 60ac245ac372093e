import { defineConfig } from 'vitest/config';

// Tests start a real NATS and a whole gateway, which is slow on a busy machine.
export default defineConfig({ test: { testTimeout: 30_000, hookTimeout: 60_000 } });
