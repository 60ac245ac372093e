import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADAPTER_RULES } from '@tollgate/processor-adapter/contract/rules';
import { newSecret, parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CHECKS } from '../src/processor/run-checks.ts';
import type { Scenarios } from '../src/processor/scenarios.ts';
import { testAdapter } from '../src/processor/test-adapter.ts';
import { runCommand } from '../src/run-command.ts';
import { DEFECTS, type Defect } from './defects.ts';
import { startNodeAdapter } from './node-adapter.ts';
import { testTerminal } from './support/test-terminal.ts';

const METHODS = [
  'succeeded',
  'failed',
  'processing',
  'action_required',
  'rejected',
  'error',
  'slow',
] as const;
const SCENARIOS: Scenarios = {
  ...Object.fromEntries(METHODS.map((name) => [name, { payment_method: name }])),
  action_required: { pay: { post: '{action_url}/pay' }, decline: { post: '{action_url}/decline' } },
};

/** Longer than a busy machine pauses. */
const DEADLINE_MS = 20_000;
/** For defects that are found when it is over. */
const SHORT_DEADLINE_MS = 1_000;
const FOUND_BY_WAITING: ReadonlySet<Defect | undefined> = new Set<Defect>([
  'waits for a slow processor',
  'blocks while Tollgate is slow',
  'reports the first status forever',
  'sends no callbacks',
  'sends no callbacks about declines',
  'sends callbacks about another payment',
  'sends callbacks to another path',
  'sends callbacks once',
]);

async function run(defect?: Defect, scenarios = SCENARIOS) {
  const secret = newSecret();
  const adapter = await startNodeAdapter(secret, defect);
  onTestFinished(adapter.stop);
  const deadlineMs = FOUND_BY_WAITING.has(defect) ? SHORT_DEADLINE_MS : DEADLINE_MS;
  return testAdapter(
    {
      url: adapter.url,
      secrets: parseSecrets(secret),
      secretsEnv: 'TOLLGATE_SECRETS',
      environment: 'sandbox',
      currency: 'EUR',
      scenarios: withPages(scenarios, adapter.url),
      only: [],
      callbacks: { host: '127.0.0.1', port: 0 },
      responseDeadlineMs: deadlineMs,
      changeDeadlineMs: deadlineMs,
    },
    (port) => adapter.setCallbackUrl(`http://127.0.0.1:${port}/v1/processor-events/node`),
  );
}

/** A defect of the action must not keep the payer from acting. */
function withPages(scenarios: Scenarios, url: string): Scenarios {
  if (!scenarios.action_required) return scenarios;
  const page = (action: string) => ({ post: `${url}/pages/{payment_id}/${action}` });
  return { ...scenarios, action_required: { pay: page('pay'), decline: page('decline') } };
}

const triggered = new Set<string>();

describe('tollgate processor test', () => {
  it('reports nothing about a correct adapter', async () => {
    const results = await run();
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(results).toHaveLength(CHECKS.length);
  });

  it('reports as not tested what depends on scenarios, and says how to test it', async () => {
    const results = await run(undefined, {});
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    const untested = results.filter(({ outcome }) => outcome === 'not tested');
    expect(untested.map(({ check }) => check)).toEqual(
      CHECKS.filter(({ scenario }) => scenario).map(({ name }) => name),
    );
    for (const { how } of untested) expect(how).toMatch(/--payment-method|--scenarios/);
  });

  it.each(Object.entries(DEFECTS))(
    'an adapter that %s breaks exactly %s',
    { timeout: 60_000 },
    async (defect, rule) => {
      const failed = (await run(defect as Defect)).filter(({ outcome }) => outcome === 'failed');
      for (const { check } of failed) triggered.add(check);
      expect([...new Set(failed.map((result) => result.rule))], JSON.stringify(failed, null, 1)).toEqual([
        rule,
      ]);
    },
  );

  it('has a defect for each check and each rule', () => {
    expect(CHECKS.map(({ name }) => name).filter((name) => !triggered.has(name))).toEqual([]);
    expect(
      Object.keys(ADAPTER_RULES).filter((rule) => !Object.values(DEFECTS).includes(rule as never)),
    ).toEqual([]);
  });
});

describe('the command', () => {
  async function command(...args: string[]) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const terminal = { ...testTerminal(), print, printError: print };
    const exitCode = await runCommand(['processor', ...args], terminal);
    return { exitCode, text: lines.join('\n') };
  }

  it.each([
    ['another action', ['check', 'http://localhost']],
    ['no URL', ['test']],
    ['a URL that is none', ['test', 'localhost:8100']],
    ['an unknown scenario', ['test', 'http://localhost', '--payment-method', 'paid=token']],
    ['a file of scenarios that is missing', ['test', 'http://localhost', '--scenarios', '/missing.json']],
    ['a port that is none', ['test', 'http://localhost', '--callback-port', '-1x']],
    ['an adapter that is unreachable', ['test', 'http://127.0.0.1:1']],
  ])('exits with 2 for %s', async (_, args) => {
    vi.stubEnv('TOLLGATE_SECRETS', newSecret());
    expect(await command(...args)).toMatchObject({ exitCode: 2 });
  });

  it('exits with 2 when the adapter has another secret', async () => {
    vi.stubEnv('TOLLGATE_SECRETS', newSecret());
    const adapter = await startNodeAdapter(newSecret());
    onTestFinished(adapter.stop);
    const { exitCode, text } = await command('test', adapter.url);
    expect({ exitCode, text }).toMatchObject({ exitCode: 2, text: expect.stringContaining('secret') });
  });

  it('names the sentence of the contract, and what was sent, expected, and received', async () => {
    const secret = newSecret();
    vi.stubEnv('TOLLGATE_SECRETS', secret);
    const adapter = await startNodeAdapter(secret, 'fails for unknown payments');
    onTestFinished(adapter.stop);
    const { exitCode, text } = await command('test', adapter.url);
    expect(exitCode).toBe(1);
    expect(text).toContain(`status-of-unknown-is-404: ${ADAPTER_RULES['status-of-unknown-is-404']}`);
    expect(text).toMatch(/sent +GET \/payments\/pay_\w+\n +expected +status 404\n +received +500/);
    expect(text).toContain('DOES NOT CONFORM: breaks 1 rule.');
    const guide = readFileSync(
      new URL('../../../docs/guides/test-a-processor-adapter.md', import.meta.url),
      'utf8',
    );
    const [, shown = ''] = /^```\n(failed .+?)^```$/ms.exec(guide) ?? [];
    const withoutId = (output: string) => output.replaceAll(/pay_\w+/g, 'pay_…');
    for (const line of shown.trimEnd().split('\n'))
      expect(withoutId(text)).toContain(withoutId(line).replace(/ …$/, ''));
  });

  it('prints no secret that a response contains', async () => {
    const secret = newSecret();
    vi.stubEnv('TOLLGATE_SECRETS', secret);
    const echo = createServer((_, response) => response.writeHead(500).end(`the key is ${secret}`));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void echo.close());
    const { exitCode, text } = await command(
      'test',
      `http://127.0.0.1:${(echo.address() as AddressInfo).port}`,
    );
    expect(exitCode).toBe(1);
    expect(text).toContain('the key is whsec_***');
    expect(text).not.toContain(secret.slice('whsec_'.length, -1));
  });
});
