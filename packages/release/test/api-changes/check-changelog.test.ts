import { describe, expect, it } from 'vitest';
import { checkChangelog } from '../../src/api-changes/check-changelog.ts';
import type { Difference } from '../../src/api-changes/difference.ts';
import { suggestEntries } from '../../src/api-changes/suggest-entries.ts';
import { unreleasedEntries } from '../../src/api-changes/unreleased-changes.ts';

const CREATE = '`POST /v1/orders`';
const ADDED: Difference = { sentence: `${CREATE} error \`order-locked\`: added`, impact: 'compatible' };
const ALSO_ADDED: Difference = { sentence: `${CREATE} error \`order-paid\`: added`, impact: 'compatible' };
const ELSEWHERE: Difference = {
  sentence: '`GET /v1/orders` error `order-locked`: added',
  impact: 'compatible',
};
const REMOVED: Difference = { sentence: `${CREATE} request \`note\`: removed`, impact: 'breaking' };
const PATTERN: Difference = {
  sentence: `${CREATE} request \`currency\` limit \`pattern\`: changed`,
  impact: 'undecided',
};

function check(lines: string, differences: Difference[]) {
  const changelog = `# API changelog\n\n## Unreleased\n\n### Public API\n\n${lines}\n\n## 0.1.0\n\n- \`old\`: added\n`;
  return checkChangelog(unreleasedEntries(changelog), differences);
}

const compatible = (entry: string) => `#### Compatible\n\n- ${entry}`;
const breaking = (entry: string) => `#### Breaking\n\n- ${entry}`;

describe('a changelog passes', () => {
  it.each<[string, string, Difference[]]>([
    ['without changes', '', []],
    ['with an entry that says why', compatible(`${ADDED.sentence}. A second buyer waits.`), [ADDED]],
    [
      'with an entry for several names',
      compatible(`${CREATE} error \`order-locked\`,\n  \`order-paid\`: added.`),
      [ADDED, ALSO_ADDED],
    ],
    [
      'with an entry for several operations',
      compatible(`${CREATE} and \`GET /v1/orders\` error \`order-locked\`: added.`),
      [ADDED, ELSEWHERE],
    ],
    [
      'with an entry for all operations',
      compatible('`* /v1/*` error `order-locked`: added.'),
      [ADDED, ELSEWHERE],
    ],
    ['with a breaking change under "Breaking"', breaking(`${REMOVED.sentence}.`), [REMOVED]],
    ['with a pattern that a person found compatible', compatible(`${PATTERN.sentence}.`), [PATTERN]],
    ['with a pattern that a person found breaking', breaking(`${PATTERN.sentence}.`), [PATTERN]],
    ['with a change of behavior in prose', compatible('Orders are created faster.'), []],
  ])('%s', (_case, lines, differences) => {
    expect(check(lines, differences)).toEqual({ missing: [], wrong: [] });
  });
});

it('a changelog fails without an entry for a difference', () => {
  expect(check('', [ADDED]).missing).toEqual([ADDED]);
});

it('a changelog fails when a breaking change is listed as compatible', () => {
  expect(check(compatible(REMOVED.sentence), [REMOVED]).missing).toEqual([REMOVED]);
});

it('a changelog fails when an entry names a difference that does not exist', () => {
  expect(check(compatible(`${CREATE} error \`a\`: added`), []).wrong).toEqual([
    `Not a difference since the last release: ${CREATE} error \`a\`: added`,
  ]);
});

it('a changelog fails when one name of several does not exist', () => {
  const entry = compatible(`${CREATE} error \`order-locked\`, \`order-gone\`: added`);
  expect(check(entry, [ADDED]).wrong).toEqual([
    `Not a difference since the last release: ${CREATE} error \`order-gone\`: added`,
  ]);
});

it('a changelog fails when an entry has another form', () => {
  expect(check(compatible(`${CREATE} accepts notes`), []).wrong).toHaveLength(1);
  const long = `${CREATE} accepts notes that are longer than those of earlier releases`;
  expect(check(compatible(long), []).wrong).toHaveLength(1);
});

it('a changelog fails when an entry stands under no or another heading', () => {
  expect(check('- Faster.\n\n#### Fixed\n\n- Fixed.', []).wrong).toHaveLength(2);
});

describe('suggested entries', () => {
  const all = [ADDED, ALSO_ADDED, ELSEWHERE, REMOVED, PATTERN];

  it('suggested entries pass when they are pasted', () => {
    expect(check(suggestEntries(all), all)).toEqual({ missing: [], wrong: [] });
  });

  it('suggested entries list operations with the same difference once', () => {
    expect(suggestEntries([ADDED, ELSEWHERE])).toBe(
      `#### Compatible\n\n- ${CREATE}, \`GET /v1/orders\` error \`order-locked\`: added.\n`,
    );
  });

  it('name many operations by a pattern that matches them', () => {
    const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => `/v1/${name}`);
    const many = paths.map(
      (path): Difference => ({ ...ADDED, sentence: `\`GET ${path}\` error \`gone\`: added` }),
    );
    expect(suggestEntries(many)).toBe('#### Compatible\n\n- `* /v1/*` error `gone`: added.\n');
    expect(check(suggestEntries(many), many)).toEqual({ missing: [], wrong: [] });
  });

  it('suggested entries mark what a person must judge', () => {
    expect(suggestEntries([PATTERN])).toContain('changed. TODO: compatible or breaking?');
  });
});
