import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LINES = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').split('\n');

/** In these sections, each table row and each list item claims something. */
const SECTIONS = ['Threats and defenses', 'Webhooks'];

/** `[^name]: [path](path): "title", "title"` */
const PROOF = /^\[\^([a-z-]+)\]: \[`([^`]+)`\]\(([^)]+)\): (.+)$/;

const proofs = LINES.flatMap((line) => {
  const [, name, path, target, titles] = PROOF.exec(line) ?? [];
  if (name === undefined || path === undefined || titles === undefined) return [];
  return [{ name, path, target, titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title ?? '') }];
});

/** The claims, with the line of each. */
const claims = (() => {
  const found: { line: number; text: string }[] = [];
  let section = '';
  LINES.forEach((text, index) => {
    const heading = /^#+ (.+)$/.exec(text)?.[1];
    if (heading !== undefined) section = heading;
    if (!SECTIONS.includes(section)) return;
    if (/^(- |\| )/.test(text)) found.push({ line: index + 1, text });
    else if (text.startsWith('  ')) (found.at(-1) as { text: string }).text += ` ${text.trim()}`;
  });
  return found.filter(({ text }) => !text.startsWith('| attacker |'));
})();

const references = (text: string) => [...text.matchAll(/\[\^([a-z-]+)\]/g)].map(([, name]) => name ?? '');

describe('SECURITY.md', () => {
  it.each(claims)('names a test for what line $line claims', ({ text }) => {
    expect(references(text), text).not.toEqual([]);
  });

  it('refers to a proof by a name that exists, and uses every proof', () => {
    const used = new Set(LINES.filter((line) => !PROOF.test(line)).flatMap(references));
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
    // A title may start with a value, such as a number of attempts.
    const starts = ["'", '`', '} '];
    const missing = titles.filter((title) => !starts.some((start) => source.includes(start + title)));
    expect(missing, `titles that ${path} lacks`).toEqual([]);
  });
});
