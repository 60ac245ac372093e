import { readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { expect, it } from 'vitest';
import { DOCS_PAGES, docsPageUrl, errorPageUrl } from './docs-pages.ts';

it.each(Object.entries(DOCS_PAGES))(
  'the links to the documentation about %s lead to a page and a heading that exist',
  (_, { path }) => {
    const [page = '', anchor] = path.split('#');
    const text = readFileSync(new URL(`../../../../docs/${page}.md`, import.meta.url), 'utf8');
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));
    if (anchor !== undefined) expect(headings).toContain(anchor);
  },
);

it('the links to the documentation start at the documentation of this installation', () => {
  expect(docsPageUrl('https://pay.example.com/docs', 'payments')).toBe(
    'https://pay.example.com/docs/guides/payments',
  );
  expect(errorPageUrl('https://pay.example.com/docs', 'forbidden')).toBe(
    'https://pay.example.com/docs/errors/forbidden',
  );
});
