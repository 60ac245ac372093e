import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@tollgate/contracts/platform/ids';
import { newSecret, parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { afterAll, expect, test } from 'vitest';
import { readProcessorsFile } from './processors-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'processors-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = newSecret();
const env: Record<string, string> = { ACME_SECRETS: secret, BROKEN: 'whsec_too-short' };

function read(text: string) {
  const path = join(folder, 'processors.yaml');
  writeFileSync(path, text);
  return readProcessorsFile(path, env);
}

function problemsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }
  throw new Error('the file was accepted');
}

test('a file names adapters, with defaults for their limits, and routes in order', () => {
  const application = newId('application');
  writeFileSync(join(folder, 'secrets'), `${newSecret()}\n${secret}\n`);
  const file = read(`
processors:
  acme:
    url: http://acme:8100/
    secrets: { env: ACME_SECRETS }
  other:
    url: https://other.internal
    secrets: { file: ${join(folder, 'secrets')} }
    concurrency: 5
    deadline: 2s
    reference_url: https://other.example/payments/{reference}
routes:
  - { environment: live, currency: [EUR, USD], application: ${application}, payment_method: pm_, processor: acme }
  - { environment: sandbox, currency: CHF, processor: sandbox }
  - { processor: other }
`);
  expect(file.adapters.get('acme')).toEqual({
    url: 'http://acme:8100',
    secrets: parseSecrets(secret),
    maxConcurrent: 20,
    deadlineMs: 10_000,
    trialAfterMs: 10_000,
    referenceUrl: null,
  });
  expect(file.adapters.get('other')).toMatchObject({
    maxConcurrent: 5,
    deadlineMs: 2_000,
    referenceUrl: 'https://other.example/payments/{reference}',
  });
  expect(file.adapters.get('other')?.secrets).toHaveLength(2);
  expect(file.routes).toEqual([
    {
      processor: 'acme',
      environment: 'live',
      currencies: ['EUR', 'USD'],
      applications: [application],
      paymentMethodPrefix: 'pm_',
    },
    { processor: 'sandbox', environment: 'sandbox', currencies: ['CHF'] },
    { processor: 'other' },
  ]);
});

test('the variable with the secrets of an adapter can name a file, too', () => {
  const processors = (variable: string) => `
processors:
  acme: { url: 'http://acme:8100', secrets: { env: ${variable} } }
routes: []
`;
  writeFileSync(join(folder, 'secrets'), `${secret}\n`);
  env['MOUNTED_FILE'] = join(folder, 'secrets');
  env['UNMOUNTED_FILE'] = join(folder, 'absent');
  expect(read(processors('MOUNTED')).adapters.get('acme')?.secrets).toEqual(parseSecrets(secret));
  expect(problemsOf(processors('UNMOUNTED'))).toEqual([
    `processors.acme.secrets: UNMOUNTED_FILE is ${env['UNMOUNTED_FILE']}, which cannot be read (ENOENT: no such file or directory).`,
  ]);
});

test('every fault of the content is listed with its place, and no secret is shown', () => {
  const problems = problemsOf(`
processors:
  sandbox:
    url: http://acme:8100
    secrets: { env: ACME_SECRETS }
  acme:
    url: http://acme:8100
    secrets: { env: BROKEN }
    deadline: 1h
  both:
    url: http://acme:8100
    secrets: { env: ACME_SECRETS, file: /etc/secret }
routes:
  - { processor: unknown }
  - { processor: sandbox }
  - { processor: acme, currency: XXX, application: shop }
`);
  for (const [index, part] of [
    'processors.sandbox: The name "sandbox" is reserved',
    'processors.acme.secrets: The content of BROKEN must be one or two secrets',
    'processors.acme.deadline: The deadline must be from 1ms to 10s.',
    'processors.both.secrets: Give either `env`',
    'routes[0]: The processor "unknown" is not one of sandbox, manual',
    'routes[1]: The processor "sandbox" moves no money.',
    'routes[2]: "XXX" is not an active ISO 4217 currency.',
    'routes[2]: "shop" is not the id of an application.',
  ].entries()) {
    expect(problems[index]).toContain(part);
  }
  expect(problems).toHaveLength(8);
  expect(problems.join()).not.toContain('too-short');
});

test('every fault of the form is listed, too', () => {
  const problems = problemsOf(`
processors:
  Acme: { url: 'ftp://acme', secrets: {}, concurrency: 0 }
routes:
  - { currency: [] }
`);
  expect(problems.length).toBeGreaterThan(2);
  expect(problems.join('\n')).toMatch(/routes\.0.*processor/);
  expect(problems.join('\n')).toContain('processors.Acme: The key must start with a lowercase letter');
});

test.each([
  ['no YAML', 'processors: [', /flow|expected/i],
  ['a key twice', 'processors: {}\nroutes: []\nroutes: []', /unique/i],
  ['another field', 'processors: {}\nroutes: []\nrouts: []', /rout/],
])('a file with %s is rejected', (_name, text, message) => {
  expect(problemsOf(text).join('\n')).toMatch(message);
});

test('a file that does not exist is rejected', () => {
  expect(() => readProcessorsFile(join(folder, 'none.yaml'), env)).toThrow('cannot be read (ENOENT)');
});

test('the file in the guide to processors is valid', () => {
  const guide = readFileSync(new URL('../../../../../docs/guides/processors.md', import.meta.url), 'utf8');
  const [, example = ''] = /```yaml\n(.+?)```/s.exec(guide) ?? [];
  const file = read(example.replace('STRIPE_ADAPTER_SECRETS', 'ACME_SECRETS'));
  expect([...file.adapters.keys()]).toEqual(['stripe']);
  expect(file.routes).toHaveLength(2);
});
