import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Some tests start the built server as a process of its own, which takes its time on a machine that is busy.
export default defineConfig({
  // Compiles components that tests import; the settings of SvelteKit are in vite.config.ts.
  plugins: [svelte({ configFile: false })],
  test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
});
