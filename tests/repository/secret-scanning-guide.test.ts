import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import {
  SECRET_SCANNING_LIMITS,
  SECRET_SCANNING_PATH,
} from '@tollgate/contracts/applications/secret-scanning';
import { BODY_LIMITS } from '@tollgate/contracts/platform/body-limits';
import { generateApiKey, parseApiKey } from '@tollgate/security/api-key';
import { generateApiToken } from '@tollgate/security/api-token';
import { CREDENTIAL } from '@tollgate/security/credential';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeBlocksOf } from '../support/platform/code-blocks.ts';
import { generateScannerKey } from '../support/platform/secret-scanner.ts';

const GUIDE = readFileSync(new URL('../../docs/guides/secret-scanning.md', import.meta.url), 'utf8');

describe('the guide to secret scanning', () => {
  const documented = /```regex\n(.+)\n```/.exec(GUIDE)?.[1] ?? '';

  it('the guide to secret scanning contains the expression that the gateway checks credentials with', () => {
    expect(`^${documented}$`).toBe(CREDENTIAL.source);
  });

  it('the guide to secret scanning contains an expression that finds every kind of credential within a text', () => {
    for (const credential of [
      generateApiKey('live').credential,
      generateApiKey('sandbox').credential,
      generateApiToken().credential,
    ])
      expect(new RegExp(documented).exec(`key: "${credential}"`)?.[0]).toBe(credential);
  });

  it('the guide to secret scanning has an example with a correct checksum', () => {
    const [example] = /tg_live_A+_b+\w+/.exec(GUIDE) ?? [''];
    expect(parseApiKey(example)).not.toBeNull();
  });

  it('the guide to secret scanning has an example of keys in the form of GitHub', () => {
    const example = codeBlocksOf('guides/secret-scanning').find(({ language }) => language === 'json');
    const key = expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/);
    expect(JSON.parse(example?.code ?? '')).toEqual({
      public_keys: [{ key_identifier: expect.any(String), key }],
    });
  });

  it('the guide to secret scanning has a command that sets the keys of the scanner as the gateway reads them', async () => {
    const { configuration } = generateScannerKey();
    const github = createServer((_, response) => response.end(configuration));
    await once(github.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void github.close());
    const command = codeBlocksOf('guides/secret-scanning').find(({ language }) => language === 'sh');
    const here = (command?.code ?? '').replace(
      'https://api.github.com',
      `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
    );
    const shell = ['-euc', `${here}\nprintenv SECRET_SCANNING_PUBLIC_KEYS`];
    const { stdout } = await promisify(execFile)('sh', shell);
    // The platform under test is configured with the same text.
    expect(stdout).toBe(`${configuration}\n`);
  });

  it('the guide to secret scanning states the path and the limits', () => {
    expect(GUIDE).toContain(SECRET_SCANNING_PATH);
    expect(GUIDE).toContain(`${BODY_LIMITS.secretScanning / 1024} KiB`);
    expect(GUIDE).toContain(`${SECRET_SCANNING_LIMITS.alerts.toLocaleString('en-US')} alerts`);
  });
});
