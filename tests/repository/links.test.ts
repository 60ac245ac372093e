import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

interface Page {
  /** Destinations of links and images. */
  targets: string[];
  /** Ids of the headings, as on GitHub. */
  anchors: Set<string>;
}

const pages = new Map<string, Page>();

function readPage(path: string): Page {
  const known = pages.get(path);
  if (known) return known;
  const slugger = new GithubSlugger();
  const page: Page = { targets: [], anchors: new Set() };
  visit(fromMarkdown(readFileSync(join(ROOT, path), 'utf8')), (node) => {
    if (node.type === 'heading') page.anchors.add(slugger.slug(textOf(node)));
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      page.targets.push(node.url);
  });
  pages.set(path, page);
  return page;
}

/** What is wrong with a link; null if nothing is. */
function faultOf(path: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return URL.canParse(target) ? null : 'is no URL';
  const [file = '', anchor] = target.split('#');
  const linked = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file));
  if (!existsSync(join(ROOT, linked))) return 'leads to no file';
  if (anchor === undefined || statSync(join(ROOT, linked)).isDirectory() || !linked.endsWith('.md'))
    return null;
  return readPage(linked).anchors.has(anchor) ? null : 'leads to no heading';
}

describe('the links of the documentation', () => {
  it.each(PAGES)('%s has no dead link', (path) => {
    const faults = readPage(path).targets.flatMap((target) => {
      const fault = faultOf(path, target);
      return fault === null ? [] : [`${target} ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it('the links of the documentation are read', () => {
    expect(readPage('README.md').targets).toContain('docs/quickstart/README.md');
    expect(faultOf('README.md', 'docs/missing.md')).toBe('leads to no file');
    expect(faultOf('README.md', 'CONTRIBUTING.md#missing')).toBe('leads to no heading');
  });
});
