import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The sections of each page in which every list item claims something. */
const CLAIMING: Record<string, string[]> = {
  'SECURITY.md': ['Properties'],
  'docs/security.md': ['Threats and defenses', 'Webhooks'],
};

const claims = Object.entries(CLAIMING).flatMap(([page, sections]) =>
  sections.flatMap((section) => itemsOf(page, section).map((claim) => ({ page, claim }))),
);

/** The list items of a section, each on one line. */
function itemsOf(page: string, section: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\n {2}(?=\S)/g, ' ');
  const [, body = ''] = text.split(`\n## ${section}\n`);
  const [lines = ''] = body.split('\n## ');
  return lines.split('\n').filter((line) => line.startsWith('- '));
}

function testsNamedBy(claim: string): string[] {
  return [...claim.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, path = '']) => path);
}

describe('the pages on security', () => {
  it.each(claims)('name a test that exists: $page, $claim', ({ page, claim }) => {
    const tests = testsNamedBy(claim);
    expect(tests).not.toEqual([]);
    expect(tests.filter((path) => !existsSync(join(ROOT, dirname(page), path)))).toEqual([]);
  });

  it('the pages on security have claims in each section', () => {
    for (const [page, sections] of Object.entries(CLAIMING)) {
      for (const section of sections) expect(itemsOf(page, section).length, section).toBeGreaterThan(4);
    }
    expect(claims.length).toBeGreaterThan(60);
  });
});
