import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { fixedIcons } from './scripts/fixed-icons.ts';

const FRAMEWORK = /node_modules[\\/](@sveltejs|svelte|devalue|clsx)[\\/]/;
/** All that SvelteKit's entry needs to set the payload. Whatever loads with it would read the payload too early. */
const PAYLOAD = /runtime[\\/]client[\\/]payload\.js$|vite[\\/]preload-helper/;
/**
 * Modules of which some pages need all, and other pages none, where they would be in `base` or in several files otherwise. A part
 * also takes what its modules import, unless `base` or an earlier part has it.
 */
const PARTS = {
  frame: /lib[\\/](shell[\\/](Brand|ThemeSwitch|apply-theme)|time-zone[\\/])/,
  shell: /routes[\\/]\(app\)[\\/]\+layout\.svelte|live[\\/]live-context/,
  money: /components[\\/]Amount\.|format[\\/]amount|platform[\\/]money/,
  copy: /components[\\/](CopyButton|CodeBlock|Fact)\.|icons[\\/](copy|check)\./,
  submit:
    /forms[\\/](submission|outcome-of|focus-rejected)\.|components[\\/]FormOutcome\.|docs[\\/]ErrorLink\.|session[\\/]page-path/,
  form: /forms[\\/](Form|form-context)\./,
  field: /components[\\/](Field|TextField)\./,
  entry: /lib[\\/]entry[\\/](EntryForm|EntryCard|EmailField|CodeField)\./,
  dialog: /forms[\\/]ActionDialog\.|components[\\/]Dialog\./,
  live: /live[\\/](refresh-rows|shown-rows|throttle|failed-part|LiveIndicator)\./,
  table: /list[\\/](Table|open-rows|mark-wide)\.|components[\\/]EmptyState\.|icons[\\/]arrow-(up|down)\./,
  paging: /list[\\/](FilterTabs|Pagination)\./,
  filters: /list[\\/](Filters|FilterField)\./,
  list: /lib[\\/]list[\\/]/,
};
const isOfNoPart = (id: string) => !Object.values(PARTS).some((part) => part.test(id));

export default defineConfig({
  plugins: [
    tailwindcss(),
    sveltekit({
      // The prefix prevents environment variables such as PROTOCOL_HEADER from overriding the decisions of
      // `src/server`.
      adapter: adapter({ out: 'dist', envPrefix: 'ADAPTER_' }),
      preprocess: [fixedIcons],
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
          // Also constants that several modules use: most are short, and the minifier then removes the code that they disable.
          optimization: { inlineConst: { mode: 'all' } },
          output: {
            codeSplitting: {
              // Otherwise each set of pages with a module in common gets a file of its own: some 65 files for a page, most of them
              // below a kilobyte. On a phone, their round trips cost more than a few modules that a page does not need. A
              // group also takes what its modules import, so that the files of the first group import none of the second.
              groups: [
                { name: 'payload', test: PAYLOAD, priority: 3 },
                { name: 'framework', test: FRAMEWORK, minShareCount: 2, priority: 2 },
                { name: 'base', minShareCount: 16, test: isOfNoPart, priority: 1 },
                ...Object.entries(PARTS).map(([name, test]) => ({ name, test })),
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
