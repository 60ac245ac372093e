import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path/posix';
import { ERRORS } from '@tollgate/contracts/platform/errors';
import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { describe, expect, it } from 'vitest';
import { llmsFullText, llmsText } from '../src/llms.ts';
import { adminApi, publicApi } from '../src/reference/documents.ts';
import { PATHS, ROOT } from '../src/repository/sources.ts';
import { pagesOf, readSite } from '../src/site.ts';

/** Time to render the Markdown of every page. */
const PARSING_TIMEOUT_MS = 30_000;

const site = readSite();
const pages = new Map(pagesOf(site).map((page) => [page.path, page]));
const reference = [...pages.values()].filter(({ path }) => path.startsWith('reference/'));

it('the site has every guide', () => {
  const guides = globSync(['docs/guides/*.md', 'docs/operating/*.md', 'docs/*.md'], { cwd: ROOT });
  expect(guides.filter((source) => !PATHS.has(source))).toEqual([]);
});

it('the site has a page for every operation, event, and error', () => {
  const api = publicApi();
  const requests = [api, adminApi()].flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([url, methods]) =>
      Object.keys(methods).map((method) => `\n\`${method.toUpperCase()} ${url}\`\n`),
    ),
  );
  for (const request of requests) {
    expect(
      reference.filter(({ markdown }) => markdown.includes(request)),
      request,
    ).toHaveLength(1);
  }
  for (const type of Object.keys(api.webhooks ?? {})) {
    expect(reference.map(({ title }) => title)).toContain(`\`${type}\``);
  }
  for (const [code, { title, status, remedy }] of Object.entries(ERRORS)) {
    const page = pages.get(`errors/${code}`);
    expect(page?.title).toBe(title);
    expect(page?.markdown).toContain(`status ${status}`);
    expect(page?.markdown).toContain(remedy);
  }
});

it('the site shows each operation in curl, TypeScript, and Python', () => {
  for (const { path, markdown } of pages.values()) {
    if (!/^reference\/(payments|admin)\//.test(path)) continue;
    expect(
      [...markdown.matchAll(/^```\w+ \[(\w+)\]$/gm)].map(([, tab]) => tab),
      path,
    ).toEqual(['curl', 'TypeScript', 'Python']);
  }
});

it(
  'the site has no dead link and no dead anchor',
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

it('the site has its guides, the Payments API, and the errors in one text', () => {
  const sources = [...llmsFullText(site).matchAll(/^Source: .+\/docs\/(.+)\.md$/gm)].map(([, path]) => path);
  const isLeftOut = (path: string) => /^(index$|reference\/admin|decisions)/.test(path);
  expect(sources).toEqual([...pages.keys()].filter((path) => !isLeftOut(path)));
});

it.each(['pagination', 'redirect', 'rate limit', 'failure codes'])(
  'the site has a heading with "%s", which the search finds',
  (words) => {
    const headings = [...pages.values()].flatMap(({ markdown }) => markdown.match(/^#+ .+$/gm) ?? []);
    expect(headings.filter((heading) => heading.toLowerCase().includes(words))).not.toEqual([]);
  },
);

it('the site says in a sentence what each page is about', () => {
  const saysNothing = ({ summary }: { summary: string }) => /^($|Status|Date)/.test(summary);
  expect([...pages.values()].filter(saysNothing).map(({ path }) => path)).toEqual([]);
  expect(llmsText(site).match(/^- \[/gm)).toHaveLength(pages.size - 1);
});

describe('the samples of the reference', () => {
  const samples = reference.flatMap(({ path, markdown }) =>
    [...markdown.matchAll(/^```(sh|ts|python) \[\w+\]\n(.+?)\n```$/gms)].map(([, language, code = '']) => ({
      path,
      language,
      code,
    })),
  );
  const inLanguage = (language: string) => samples.filter((sample) => sample.language === language);

  it('the samples of the reference are all there', () => {
    expect(samples.length).toBeGreaterThan(250);
  });

  it('the samples of the reference in curl are one command of a shell each, with JSON as its body', () => {
    const commands = inLanguage('sh');
    // The shell splits each command into its arguments, and ends each argument with a byte 0 and each command with a byte 1.
    const curl = `curl() { for argument; do printf '%s\\0' "$argument"; done; }`;
    const script = [curl, ...commands.map(({ code }) => `${code}\nprintf '\\1'`)].join('\n');
    const output = execFileSync('sh', ['-eu'], {
      input: script,
      encoding: 'utf8',
      env: { KEY: 'key', TOKEN: 'token' },
    });
    const split = output.split('\x01').slice(0, -1);
    expect(split).toHaveLength(commands.length);
    for (const [index, { path }] of commands.entries()) {
      const args = (split[index] ?? '').split('\0');
      expect(
        args.filter((each) => /^http:\/\/localhost:808[12]\//.test(each)),
        path,
      ).toHaveLength(1);
      const body = args[args.indexOf('-d') + 1];
      if (args.includes('-d')) expect(() => JSON.parse(body ?? ''), path).not.toThrow();
    }
  });

  it('the samples of the reference in TypeScript parse', () => {
    for (const { path, code } of inLanguage('ts'))
      expect(() => stripTypeScriptTypes(code), path).not.toThrow();
  });

  it('the samples of the reference in Python compile', () => {
    const code = inLanguage('python').map(({ code }) => code);
    execFileSync(
      'python3',
      ['-c', 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "sample", "exec")'],
      {
        input: JSON.stringify(code),
      },
    );
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
