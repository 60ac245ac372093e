import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Some tests start the built server as a separate process, which is slow on a busy machine.
export default defineConfig({
  // Compiles the components that tests import. The settings of SvelteKit are in vite.config.ts.
  plugins: [svelte({ configFile: false })],
  test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
});
