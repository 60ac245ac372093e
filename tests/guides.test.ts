import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RequestFilters } from '@tollgate/contracts/logged-request';
import { PAYMENT_LIMITS, PAYMENT_STATUSES } from '@tollgate/contracts/payment';
import { ROLES } from '@tollgate/contracts/roles';
import { MAX_FEED_WAIT_S } from '@tollgate/contracts/rpc/webhooks';
import { SCOPES } from '@tollgate/contracts/scopes';
import { USAGE_OUTCOMES } from '@tollgate/contracts/usage';
import { describe, expect, it } from 'vitest';
import { codeBlocksOf } from './platform/code-blocks.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const guide = (name: string) => readFileSync(new URL(`../docs/guides/${name}.md`, import.meta.url), 'utf8');

/** The first two cells of each table row that starts with code. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, first = '', second = '']) => [
    first,
    second,
  ]);
}

describe('the guides', () => {
  it('list every scope, and what it allows', () => {
    expect(rowsOf(guide('authentication'))).toEqual(
      Object.entries(SCOPES).map(([scope, { allows }]) => [scope, allows]),
    );
  });

  it('list every status of a payment', () => {
    expect(rowsOf(guide('payments')).map(([status]) => status)).toEqual([...PAYMENT_STATUSES]);
  });

  it('list every role, every outcome of a request, and every filter of the request log', () => {
    expect(rowsOf(guide('admin-api')).map(([role]) => role)).toEqual(expect.arrayContaining([...ROLES]));
    const usage = rowsOf(guide('usage-and-requests')).map(([name]) => name);
    expect(usage).toEqual(expect.arrayContaining([...USAGE_OUTCOMES]));
    for (const filter of Object.keys(RequestFilters))
      expect(guide('usage-and-requests')).toContain(`\`${filter}\``);
  });

  it('state the limits of the admin API', () => {
    expect(guide('admin-api')).toContain(`${PAYMENT_LIMITS.bodyBytes / 1024} KiB`);
    expect(guide('admin-api')).toContain(`for an event, at most ${MAX_FEED_WAIT_S}.`);
  });

  it('show commands and options that the command line has', async () => {
    const transcripts = codeBlocksOf('guides/use-the-command-line').map(({ code }) => code);
    const commands = transcripts.join('').match(/^(?:\$ )?tollgate .+$/gm) ?? [];
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) {
      const words = command.replace('$ ', '').split(' ').slice(1);
      const hasSubcommand = ['payments', 'keys', 'requests'].includes(words[0] ?? '');
      const help = await helpOf(words.slice(0, hasSubcommand ? 2 : 1));
      for (const option of command.match(/--[a-z-]+/g) ?? []) expect(help, command).toContain(option);
    }
  });

  it('name metrics that a process has', () => {
    const sources = globSync(['gateway/src/**/*.ts', 'services/*/src/**/*.ts', 'packages/*/src/**/*.ts'], {
      cwd: ROOT,
    })
      .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
      .join('\n');
    const operating = readFileSync(new URL('../docs/operating/README.md', import.meta.url), 'utf8');
    const metrics = new Set(operating.match(/tollgate_\w+/g));
    expect(metrics.size).toBeGreaterThan(8);
    expect([...metrics].filter((metric) => !sources.includes(metric))).toEqual([]);
  });
});

async function helpOf(command: string[]): Promise<string> {
  const program = new URL('../packages/cli/bin/tollgate.mjs', import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(program),
    ...command,
    '--help',
  ]);
  return stdout;
}

/**
 * The test that runs the code blocks of each page, or compares them with what they show, and their number: a new block needs a
 * test. Not run are the commands that install a library, and the one that asks GitHub.
 */
const TESTED_BLOCKS: Record<string, [test: string, blocks: number]> = {
  'quickstart/README': ['browser/quickstart.test.ts', 10],
  'guides/admin-api': ['integration/guides.test.ts', 3],
  'guides/audit-log': ['integration/guides.test.ts', 3],
  'guides/authentication': ['integration/guides.test.ts', 1],
  'guides/automate-with-api-tokens': ['integration/guides.test.ts', 9],
  'guides/errors-and-retries': ['integration/guides.test.ts', 1],
  'guides/payments': ['integration/guides.test.ts', 1],
  'guides/processors': ['../services/payments/src/processors/routing/processors-file.test.ts', 1],
  'guides/receive-webhooks': ['webhook-guide.test.ts', 3],
  'guides/secret-scanning': ['secret-scanning-guide.test.ts', 3],
  'guides/test-a-processor-adapter': ['integration/processor-guide.test.ts', 5],
  'guides/usage-and-requests': ['integration/guides.test.ts', 3],
  'guides/use-the-command-line': ['guides.test.ts', 4],
  'guides/verify-webhooks': ['webhook-guide.test.ts', 13],
  'guides/write-a-processor-adapter': ['integration/processor-guide.test.ts', 8],
};

describe('the code blocks of the guides', () => {
  const pages = globSync(['docs/guides/*.md', 'docs/quickstart/*.md'], { cwd: ROOT })
    .map((file) => file.replace(/^docs\//, '').replace(/\.md$/, ''))
    .filter((page) => codeBlocksOf(page).length > 0);

  it.each(pages)('%s: each is run or compared by a test', (page) => {
    const [test = '', blocks] = TESTED_BLOCKS[page] ?? [];
    expect(codeBlocksOf(page)).toHaveLength(blocks ?? 0);
    expect(readFileSync(new URL(test, import.meta.url), 'utf8')).toContain(
      basename(page.replace('/README', '')),
    );
  });
});
