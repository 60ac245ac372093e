import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const TABLE = /lib[\\/]list[\\/](Table|mark-wide|open-rows)\b/;
const LIST =
  /lib[\\/]list[\\/](List|Filters|FilterField|Chips|EmptyList|SelectionBar|hold-rows|reading|row-keys)\b/;

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
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // Otherwise each set of pages with a module in common gets a file of its own: some 65 files for a page, most of them
              // below a kilobyte. On a phone, their round trips cost more than a few modules that a page does not need. A
              // group also takes what its modules import, so that the files of the first group import none of the second.
              groups: [
                // SvelteKit sets it before it loads the files that read it.
                { name: 'payload', test: /runtime[\\/]client[\\/]payload\.js$/, priority: 3 },
                { name: 'base', minShareCount: 30, priority: 2 },
                {
                  name: 'shared',
                  minShareCount: 6,
                  priority: 1,
                  test: (id) => !TABLE.test(id) && !LIST.test(id),
                },
                // Many pages have a table or a list, and more have neither.
                { name: 'table', test: TABLE },
                { name: 'list', test: LIST },
              ],
            },
          },
        },
      },
    },
  },
  // The adapter bundles no other package that package.json lists as a dependency. Only these two are installed beside the built server.
  ssr: { noExternal: [/^(?!(?:jose|pino)$)/] },
});
