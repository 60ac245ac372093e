import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// Each file has its own process: tests of commands set variables of the environment.
export default mergeConfig(base, defineConfig({ test: { isolate: true } }));
