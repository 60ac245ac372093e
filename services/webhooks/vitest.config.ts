import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// Each file has its own process: the clock and the endpoints that a test notes for its receivers are of its file.
export default mergeConfig(base, defineConfig({ test: { isolate: true } }));
