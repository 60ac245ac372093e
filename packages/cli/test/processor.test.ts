import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADAPTER_RULES } from '@tollgate/processor-adapter/contract/rules';
import { newSecret } from '@tollgate/processor-adapter/contract/signature';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHECKS } from '../src/processor/run-checks.ts';
import { runCommand } from '../src/run-command.ts';
import { startNodeAdapter } from './node-adapter.ts';
import { testNodeAdapter } from './support/test-node-adapter.ts';
import { testTerminal } from './support/test-terminal.ts';

it('tollgate processor test reports nothing about a correct adapter, whose processor it cannot reach', async () => {
  const results = await testNodeAdapter();
  expect(results).toHaveLength(CHECKS.length);
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  const untested = results.filter(({ outcome }) => outcome === 'not tested');
  for (const { how } of untested) expect(how).toMatch(/--processor PORT=URL|--webhooks PORT=URL/);
});

it('tollgate processor test reports as not tested what depends on scenarios, and says how to test it', async () => {
  const results = await testNodeAdapter(undefined, { scenarios: {} });
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  const untested = results.filter(({ outcome }) => outcome === 'not tested');
  expect(untested.map(({ check }) => check)).toEqual(
    expect.arrayContaining(CHECKS.filter(({ scenario }) => scenario).map(({ name }) => name)),
  );
  for (const { how } of untested) expect(how).toMatch(/--payment-method|--scenarios|--processor|--webhooks/);
});

describe('the command', () => {
  async function command(secret: string, ...args: string[]) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const terminal = { ...testTerminal({ env: { TOLLGATE_SECRETS: secret } }), print, printError: print };
    const exitCode = await runCommand(['processor', ...args], terminal);
    return { exitCode, text: lines.join('\n') };
  }

  it.each([
    ['another action', ['check', 'http://localhost']],
    ['no URL', ['test']],
    ['a URL that is none', ['test', 'localhost:8100']],
    ['an unknown scenario', ['test', 'http://localhost', '--payment-method', 'paid=token']],
    ['a file of scenarios that is missing', ['test', 'http://localhost', '--scenarios', '/missing.json']],
    ['a processor without a port', ['test', 'http://localhost', '--processor', 'http://localhost:4100']],
    ['a port that is none', ['test', 'http://localhost', '--callback-port', '-1x']],
    ['an adapter that is unreachable', ['test', 'http://127.0.0.1:1']],
  ])('the command exits with 2 for %s', async (_, args) => {
    expect(await command(newSecret(), ...args)).toMatchObject({ exitCode: 2 });
  });

  it('the command exits with 2 when the adapter has another secret', async () => {
    const adapter = await startNodeAdapter(newSecret());
    onTestFinished(adapter.stop);
    const { exitCode, text } = await command(newSecret(), 'test', adapter.url);
    expect({ exitCode, text }).toMatchObject({ exitCode: 2, text: expect.stringContaining('secret') });
  });

  it('the command says as in the guide which rule is broken, what happened, what it costs, and what to do', async () => {
    const secret = newSecret();
    const adapter = await startNodeAdapter(secret, 'fails for unknown payments');
    onTestFinished(adapter.stop);
    const { exitCode, text } = await command(secret, 'test', adapter.url);
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
    expect(guide).toContain(`${CHECKS.length} checks for ${Object.keys(ADAPTER_RULES).length} rules`);
  });

  it('the command prints no secret that a response contains', async () => {
    const secret = newSecret();
    const echo = createServer((_, response) => response.writeHead(500).end(`the key is ${secret}`));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void echo.close());
    const { exitCode, text } = await command(
      secret,
      'test',
      `http://127.0.0.1:${(echo.address() as AddressInfo).port}`,
    );
    expect(exitCode).toBe(1);
    expect(text).toContain('the key is whsec_***');
    expect(text).not.toContain(secret.slice('whsec_'.length, -1));
  });
});
