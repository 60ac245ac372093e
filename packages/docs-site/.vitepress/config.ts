import { join, relative } from 'node:path';
import { slug } from 'github-slugger';
import { type DefaultTheme, defineConfig } from 'vitepress';
import manifest from '../package.json' with { type: 'json' };
import { BUILD_DIR, PACKAGE_DIR, PAGES_DIR, WORK_DIR } from '../src/folders.ts';
import type { Area } from '../src/page.ts';
import { readSite } from '../src/site.ts';
import { codeStyles } from './code-styles.ts';

const { areas } = readSite();
const styles = codeStyles();

export default defineConfig({
  title: 'Tollgate',
  description: 'Documentation of Tollgate, a payments API platform that you run yourself',
  lang: 'en',
  base: '/docs/',
  srcDir: relative(PACKAGE_DIR, PAGES_DIR),
  outDir: BUILD_DIR,
  cacheDir: join(WORK_DIR, 'vite'),
  cleanUrls: true,
  // Otherwise each change of the theme adds a style element, which the Content-Security-Policy rejects.
  appearance: { disableTransition: false },
  // In files instead of inline scripts, which would need a hash of their own on every page.
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', href: '/docs/favicon.svg', type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: `/docs/${styles.path}` }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [styles.transformer],
    // The anchors of GitHub, so that a link works in both places.
    anchor: { slugify: slug },
    config: (md) => void md.set({ html: false }),
  },
  // The page of unknown addresses has no Markdown.
  transformHead: ({ page }) =>
    page === '404.md' ? [] : [['link', { rel: 'alternate', type: 'text/markdown', href: `/docs/${page}` }]],
  // The Content-Security-Policy allows no style attributes. style.css replaces the one that matters.
  transformHtml: (html) => html.replaceAll(/ style="[^"]*"/g, ''),
  buildEnd: ({ outDir }) => styles.write(outDir),
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guides', link: '/quickstart' },
      { text: 'Payments API', link: '/reference/payments-api' },
      { text: 'Admin API', link: '/reference/admin-api' },
      { text: 'Errors', link: '/errors' },
      { text: 'Decisions', link: '/decisions' },
    ],
    sidebar: Object.fromEntries(
      // VitePress takes the first one that matches.
      areas.flatMap(sidebarsOf).toSorted(([a], [b]) => b.length - a.length),
    ),
  },
});

function sidebarsOf({ prefixes, sections }: Area): [string, DefaultTheme.SidebarItem[]][] {
  const groups = sections.map(({ title, pages }) => ({
    text: title,
    items: pages.map((page) => ({ text: labelOf(page.title), link: `/${page.path}` })),
  }));
  // All packages have the version of the release. The bar at the top has no room for it on tablets.
  const version = { text: `Version ${manifest.version}` };
  return prefixes.map((prefix) => [`/${prefix}`, [version, ...groups]]);
}

/** "Quickstart" of "Quickstart: a payment and its webhook in five minutes", but a decision keeps its name. */
function labelOf(title: string): string {
  return title.replaceAll('`', '').replace(/^(\D+?): .*$/, '$1');
}
