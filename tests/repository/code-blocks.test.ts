import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { codeBlocksOf } from '../support/platform/code-blocks.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The languages of the code blocks of each page, and the tests that run them or compare them with what they show. A block without a
 * language is a transcript. Not run are commands that install a library or need Docker.
 */
const TESTED: Record<string, [blocks: string, ...tests: string[]]> = {
  'quickstart/README': [
    'sh sh transcript sh sh sh transcript sh sh transcript',
    'tests/system/browser/quickstart.test.ts',
  ],
  'guides/admin-api': ['sh json sh', 'tests/system/guides/guides.test.ts'],
  'guides/approve-settlements': ['json', 'tests/system/guides/guides.test.ts'],
  'guides/audit-log': ['sh sh sh', 'tests/system/guides/guides.test.ts'],
  'guides/authentication': ['http', 'tests/system/guides/guides.test.ts'],
  'guides/automate-with-api-tokens': ['sh sh sh sh sh sh sh sh text', 'tests/system/guides/guides.test.ts'],
  'guides/errors-and-retries': ['json', 'tests/system/guides/guides.test.ts'],
  'guides/payments': ['sh', 'tests/system/guides/guides.test.ts'],
  'guides/processors': ['yaml', 'services/payments/src/processors/routing/processors-file.test.ts'],
  'guides/receive-webhooks': [
    'sh http js',
    'tests/system/guides/guides.test.ts',
    'tests/system/guides/webhook-receivers.test.ts',
  ],
  'guides/reconcile-orders': ['sh', 'tests/system/guides/guides.test.ts'],
  'guides/redirect-payers': ['ts sh', 'tests/system/guides/redirect-payers.test.ts'],
  'guides/secret-scanning': ['regex sh json', 'tests/repository/secret-scanning-guide.test.ts'],
  'guides/test-a-processor-adapter': [
    'sh transcript sh json sh sh',
    'tests/system/guides/processor.test.ts',
    'packages/cli/test/processor.test.ts',
  ],
  'guides/test-your-integration': ['sh'],
  'guides/usage-and-requests': ['sh sh sh', 'tests/system/guides/guides.test.ts'],
  'guides/use-the-command-line': [
    'transcript transcript transcript transcript',
    'tests/system/guides/command-line.test.ts',
  ],
  'guides/verify-webhooks': [
    'ts sh ts sh python sh go sh php sh ruby java sh',
    'tests/system/guides/webhook-receivers.test.ts',
  ],
  'guides/write-a-processor-adapter': ['sh sh sh yaml sh sh sh', 'tests/system/guides/processor.test.ts'],
  'operating/install': ['sh', 'tests/system/containers/image.test.ts'],
  'operating/compose': ['sh sh sh sh sh', 'tests/system/containers/compose.test.ts'],
  'operating/kubernetes': ['sh sh sh sh yaml sh sh sh sh sh sh sh sh', 'tests/system/helm/guide.test.ts'],
  'operating/backup': ['transcript sh sh sh', 'tests/system/guides/backup.test.ts'],
  'operating/move-to-mongodb': ['sh js sh sh sh', 'tests/system/guides/backup.test.ts'],
  'operating/doctor': ['transcript', 'packages/cli/test/doctor.test.ts'],
  'operating/upgrade': ['transcript', 'packages/cli/test/migrate.test.ts'],
  'operating/disaster-recovery': ['sh sh sh sh', 'tests/system/guides/disaster-recovery.test.ts'],
  'operating/reset-an-owner': ['sh transcript', 'tests/system/api/reset-owner.test.ts'],
  'operating/rotate-keys': ['transcript transcript transcript', 'tests/system/guides/rotate-keys.test.ts'],
};

const pages = globSync(['docs/guides/*.md', 'docs/operating/*.md', 'docs/quickstart/*.md'], { cwd: ROOT })
  .map((file) => file.replace(/^docs\/(.+)\.md$/, '$1'))
  .filter((page) => codeBlocksOf(page).length > 0);

it.each(pages)('the code blocks of the guides are all claimed by a test: %s', (page) => {
  const languages = codeBlocksOf(page).map(({ language }) => language || 'transcript');
  expect(languages.join(' '), 'Test the new block, then add it here').toBe(TESTED[page]?.[0]);
});

it.each(Object.entries(TESTED))(
  'the code blocks of the guides are read by each test that claims them: %s',
  (page, [, ...tests]) => {
    for (const test of tests) {
      const source = readFileSync(new URL(`../../${test}`, import.meta.url), 'utf8');
      expect(source.includes(`'${page}'`) || source.includes(`${page}.md'`), test).toBe(true);
    }
  },
);

it('the code blocks of the guides are found, whatever the fence: each fence opens or closes a block', () => {
  for (const page of pages) {
    const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
    expect(codeBlocksOf(page).length * 2, page).toBe(text.match(/^\s*(```|~~~)/gm)?.length);
  }
});
