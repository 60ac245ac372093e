import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LINES = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').split('\n');

/** These sections ask the reader to do something. The others claim something. */
const WITHOUT_CLAIMS = ['Security', 'Reporting a vulnerability', 'Limits', "The operator's part"];

/** `[^name]: [path](path): "title", "title"` */
const PROOF = /^\[\^([a-z-]+)\]: \[`([^`]+)`\]\(([^)]+)\): (.+)$/;

const proofs = LINES.flatMap((line) => {
  const [, name, path, target, titles] = PROOF.exec(line) ?? [];
  if (name === undefined || path === undefined || titles === undefined) return [];
  return [{ name, path, target, titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title ?? '') }];
});

/** The paragraphs, list items, and table rows of the sections that claim something, with the line of each. */
const claims = (() => {
  const found: { line: number; text: string }[] = [];
  let section = 'Security';
  let current: { line: number; text: string } | null = null;
  LINES.forEach((text, index) => {
    const heading = /^#+ (.+)$/.exec(text)?.[1];
    if (heading !== undefined) section = heading;
    const isText = heading === undefined && text.trim() !== '' && !text.startsWith('[^');
    const starts = current === null || /^(- |\| )/.test(text);
    if (!isText || WITHOUT_CLAIMS.includes(section)) current = null;
    else if (starts) {
      current = { line: index + 1, text };
      found.push(current);
    } else if (current) current.text += ` ${text.trim()}`;
  });
  return found.filter(({ text }) => !/^\|( ?-|---)|^\| (attacker|secret) \|/.test(text));
})();

const references = (text: string) => [...text.matchAll(/\[\^([a-z-]+)\]/g)].map(([, name]) => name ?? '');

describe('SECURITY.md', () => {
  it.each(claims)('names a test for what line $line claims', ({ text }) => {
    expect(references(text), text).not.toEqual([]);
  });

  it('refers to a proof by a name that exists, and uses every proof', () => {
    const used = new Set(claims.flatMap(({ text }) => references(text)));
    expect([...used].sort()).toEqual(proofs.map(({ name }) => name).sort());
  });

  it('has no proof in another form', () => {
    expect(LINES.filter((line) => line.startsWith('[^'))).toHaveLength(proofs.length);
  });

  it.each(proofs)('names tests of $path that exist ($name)', ({ path, target, titles }) => {
    expect(target).toBe(path);
    expect(existsSync(join(ROOT, path)), `${path} exists`).toBe(true);
    const source = readFileSync(join(ROOT, path), 'utf8');
    expect(titles).not.toEqual([]);
    const missing = titles.filter((title) => !["'", '`'].some((quote) => source.includes(quote + title)));
    expect(missing, `titles that ${path} lacks`).toEqual([]);
  });
});
