import { globSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { ERRORS } from '@tollgate/contracts/errors';
import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { describe, expect, it } from 'vitest';
import { llmsText } from '../src/llms.ts';
import { adminApi, publicApi } from '../src/reference/documents.ts';
import { PATHS, ROOT } from '../src/repository/sources.ts';
import { pagesOf, readSite } from '../src/site.ts';

/** For the Markdown of every page. */
const PARSING_TIMEOUT_MS = 30_000;

const site = readSite();
const pages = new Map(pagesOf(site).map((page) => [page.path, page]));

describe('the site', () => {
  it('has every guide', () => {
    const guides = globSync(['docs/guides/*.md', 'docs/operating/*.md', 'docs/*.md'], { cwd: ROOT });
    expect(guides.filter((source) => !PATHS.has(source))).toEqual([]);
  });

  it('has a page for every operation, event, and error', () => {
    const requests = [publicApi(), adminApi()].flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([url, methods]) =>
        Object.keys(methods).map((method) => `\n\`${method.toUpperCase()} ${url}\`\n`),
      ),
    );
    const reference = [...pages.values()].filter(({ path }) => path.startsWith('reference/'));
    for (const request of requests) {
      expect(
        reference.filter(({ markdown }) => markdown.includes(request)),
        request,
      ).toHaveLength(1);
    }
    for (const type of Object.keys(publicApi().webhooks ?? {})) {
      expect(reference.map(({ title }) => title)).toContain(`\`${type}\``);
    }
    for (const [code, { title, status, remedy }] of Object.entries(ERRORS)) {
      const page = pages.get(`errors/${code}`);
      expect(page?.title).toBe(title);
      expect(page?.markdown).toContain(`status ${status}`);
      expect(page?.markdown).toContain(remedy);
    }
  });

  it('shows each operation in curl, TypeScript, and Python', () => {
    for (const { path, markdown } of pages.values()) {
      if (!/^reference\/(payments|admin)\//.test(path)) continue;
      expect(
        [...markdown.matchAll(/^```\w+ \[(\w+)\]$/gm)].map(([, tab]) => tab),
        path,
      ).toEqual(['curl', 'TypeScript', 'Python']);
    }
  });

  it(
    'has no dead link and no dead anchor',
    () => {
      const trees = [...pages.values()].map(({ path, markdown }) => ({ path, tree: fromMarkdown(markdown) }));
      const anchors = new Map(trees.map(({ path, tree }) => [path, anchorsOf(tree)]));
      const faults = trees.flatMap(({ path, tree }) =>
        linksOf(tree).flatMap((url) => {
          const [file = '', anchor] = url.split('#');
          const target = file === '' ? path : join(dirname(path), file).replace(/\.md$/, '');
          const isAlive = anchor === undefined ? pages.has(target) : anchors.get(target)?.has(anchor);
          return isAlive ? [] : [`${path}: ${url}`];
        }),
      );
      expect(faults).toEqual([]);
    },
    PARSING_TIMEOUT_MS,
  );

  it('says in a sentence what each page is about', () => {
    expect([...pages.values()].filter(({ summary }) => summary === '').map(({ path }) => path)).toEqual([]);
    expect(llmsText(site).match(/^- \[/gm)).toHaveLength(pages.size - 1);
  });
});

function linksOf(tree: Root): string[] {
  const urls: string[] = [];
  visit(tree, 'link', ({ url }) => void urls.push(url));
  return urls.filter((url) => !/^[a-z]+:/.test(url));
}

function anchorsOf(tree: Root): Set<string> {
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  visit(tree, 'heading', (node) => void anchors.add(slugger.slug(textOf(node))));
  return anchors;
}
