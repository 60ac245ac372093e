import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [
    tailwindcss(),
    sveltekit({
      // The prefix prevents environment variables such as PROTOCOL_HEADER from overriding the decisions of
      // `src/server`.
      adapter: adapter({ out: 'dist', envPrefix: 'ADAPTER_' }),
      compilerOptions: {
        runes: ({ filename }) => (filename.includes('/node_modules/') ? undefined : true),
      },
      csp: {
        mode: 'nonce',
        directives: {
          'default-src': ['none'],
          'script-src': ['self'],
          'style-src': ['self'],
          // SvelteKit's route announcer, charts and popovers position their elements with style attributes.
          'style-src-attr': ['unsafe-inline'],
          'img-src': ['self', 'data:'],
          'font-src': ['self'],
          'connect-src': ['self'],
          'manifest-src': ['self'],
          'form-action': ['self'],
          'base-uri': ['none'],
          'frame-ancestors': ['none'],
        },
      },
    }),
  ],
  // Contracts are TypeScript. When bundled, the server starts without stripping their types.
  ssr: { noExternal: [/^@tollgate\//] },
});
