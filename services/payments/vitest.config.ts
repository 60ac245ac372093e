import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// Each file has its own process: two files failed after others in a shared one, and pass alone.
export default mergeConfig(base, defineConfig({ test: { isolate: true } }));
