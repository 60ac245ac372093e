import { describe, expect, it } from 'vitest';
import { type Finding, lintText } from '../src/lint.ts';

const WRONG = { line: 1, message: expect.stringContaining('not "refused"') };

describe('a wrong term is reported', () => {
  it.each([
    ['a paragraph of Markdown', 'guide.md', 'The request is refused.'],
    ['a table of Markdown', 'guide.md', '| a | b |\n|---|---|\n| it is | refused |'],
    ['a line comment of TypeScript', 'a.ts', 'f(); // The request is refused.'],
    ['a block comment of TypeScript', 'a.ts', '/** The request is refused. */'],
    ['an error title', 'errors.ts', "const title = 'The request was refused';"],
    ['an OpenAPI description', 'openapi.ts', 'const schema = { description: `Refused requests per day` };'],
    ['a test title', 'a.test.ts', "it('a key is refused', run);"],
    ['a label of one word', 'labels.ts', "const label = 'Refused';"],
    ['a script', 'run.mjs', '// The request is refused.'],
    ['text of Svelte', 'Page.svelte', '<p>The request was refused.</p>'],
    ['an attribute of Svelte', 'Page.svelte', '<button aria-label="Show refused requests"></button>'],
    ['an expression of Svelte', 'Page.svelte', "{failed ? 'The request was refused.' : ''}"],
    ['a comment of Svelte', 'Page.svelte', '<!-- Shown when the request is refused. -->'],
    ['a script of Svelte', 'Page.svelte', '<script lang="ts">const title = \'It was refused\';</script>'],
  ])('a wrong term is reported in %s', async (_place, path, source) => {
    expect(await lintText(source, path)).toMatchObject([
      { message: expect.stringMatching(/^write "reject.*not "refused"$/i) },
    ]);
  });

  it('a wrong term is reported at its line and column', async () => {
    expect(await lintText('f();\n// It is refused.', 'a.ts')).toMatchObject([
      { ...WRONG, line: 2, column: 10 },
    ]);
  });

  it('a wrong term is reported with each ending', async () => {
    expect(await wrongTerms('To refuse, refusing, and what refuses.')).toEqual([
      'refuse',
      'refusing',
      'refuses',
    ]);
  });

  it('across the lines of a comment', async () => {
    expect(await lintText('/**\n * Requests that are under\n * way.\n */', 'a.ts')).toMatchObject([
      { message: expect.stringContaining('not "under way"') },
    ]);
  });
});

it.each([
  ['a line comment', 'a.ts', '// Of the member.'],
  ['a block comment', 'a.ts', '/** Of the member. */'],
  ['a block comment of several lines', 'a.ts', '/**\n * Of the member.\n */'],
  ['a comment of Svelte', 'Page.svelte', '<!-- Of the member. -->'],
])('a comment without a subject is reported in %s', async (_place, path, source) => {
  expect(await lintText(source, path)).toMatchObject([
    { message: 'name what the comment is about, before "of"' },
  ]);
});

it.each([
  ['/** By id. */', 'by'],
  ['/** With its quotes; null in an array. */', 'with'],
  ['/**\n * For background work: due\n * payments, oldest first.\n */', 'for'],
])('a comment without a subject is reported when it begins with a complement: %s', async (source, word) => {
  expect(await lintText(source, 'a.ts')).toMatchObject([
    { message: `name what the comment is about, before "${word}"` },
  ]);
});

it.each([
  ["it('rejects a key', run);", 'rejects'],
  ["test.each(keys)('is rejected: %s', run);", 'is'],
  ['test.skipIf(slow)(`of a team are limited`, run);', 'of'],
])('a test title without a subject is reported: %s', async (source, word) => {
  expect(await lintText(source, 'a.test.ts')).toMatchObject([
    { message: `name what the title is about, before "${word}"` },
  ]);
});

describe('nothing is reported', () => {
  it.each([
    ['for a comment that names its subject', 'a.ts', '// The email of the member.'],
    ['for a test title with a subject', 'a.test.ts', "it('a revoked key is rejected', run);"],
    ['for a subject after a complement', 'a.ts', '/** For one query, more lookups are not faster. */'],
    [
      'for a line that continues a comment',
      'a.ts',
      '// The names, in place of ids, by key.\n// By default none.',
    ],
    ['for identifiers', 'a.ts', 'const refused = answer.refuse();'],
    ['for strings that are no prose', 'a.ts', "const code = 'refused';"],
    ['for code in a comment', 'a.ts', '// `refused` is the name of a field.'],
    ['for code in Markdown', 'guide.md', 'The field `refused`.\n\n```\nrefused\n```'],
    ['for a word that only contains the term', 'a.ts', '// The answering-machine and the questionanswer.'],
    [
      'where Markdown quotes a wrong term',
      'guide.md',
      '<!-- textlint-disable -->\n\nrefused\n\n<!-- textlint-enable -->',
    ],
    ['for a class of Svelte', 'Page.svelte', '<p class="refused state"></p>'],
  ])('%s', async (_case, path, source) => {
    expect(await lintText(source, path)).toEqual([]);
  });
});

async function wrongTerms(markdown: string): Promise<(string | undefined)[]> {
  const findings: Finding[] = await lintText(markdown, 'guide.md');
  return findings.map(({ message }) => /not "(.*)"$/.exec(message)?.[1]);
}
