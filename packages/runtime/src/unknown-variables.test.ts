import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { flag, integer, text, tracingVariables, type VariableTable } from './config.ts';
import { findUnknownVariables, warnOfUnknownVariables } from './unknown-variables.ts';

const variables: VariableTable = {
  concurrency: integer('WEBHOOKS_CONCURRENCY', { min: 1, max: 9, default: 1 }),
  allow: flag('WEBHOOKS_ALLOW_PRIVATE_NETWORKS', { default: false }),
  key: text('WEBHOOK_ENCRYPTION_KEYS', { isSecret: true }),
  host: text('HOST', { default: '' }),
  port: text('PORT', { default: '' }),
  kept: text('REQUEST_LOG_KEPT', { default: '' }),
};
const find = (...names: string[]) =>
  findUnknownVariables(Object.fromEntries(names.map((name) => [name, '1'])), variables);

it('a process finds misspelt variables, with the variable that is probably meant', () => {
  expect(
    find('WEBHOOKS_MAX_CONCURRENCY', 'REQUEST_LOG_KETP', 'WEBHOOK_ENCRYPTION_KEY_FILE', 'TOLLGATE_DATADIR'),
  ).toEqual([
    { name: 'WEBHOOKS_MAX_CONCURRENCY', nearest: 'WEBHOOKS_CONCURRENCY' },
    { name: 'REQUEST_LOG_KETP', nearest: 'REQUEST_LOG_KEPT' },
    { name: 'WEBHOOK_ENCRYPTION_KEY_FILE', nearest: 'WEBHOOK_ENCRYPTION_KEYS_FILE' },
    { name: 'TOLLGATE_DATADIR', nearest: 'TOLLGATE_DATA_DIR' },
  ]);
});

it('a process finds nothing in the variables of this process, and of the files of its secrets', () => {
  expect(find('WEBHOOKS_CONCURRENCY', 'WEBHOOK_ENCRYPTION_KEYS_FILE', 'HOST')).toEqual([]);
});

it('a process ignores variables of other processes, of Kubernetes, and of other programs', () => {
  expect(
    find(
      'SANDBOX_PORT',
      'TOLLGATE_API_TOKEN',
      'TOLLGATE_SECRETS_FILE',
      'HOME',
      'PATH',
      'WEBHOOK_URL',
      'REQUEST_ID',
    ),
  ).toEqual([]);
  const own = { url: text('NATS_URL'), replicas: text('NATS_REPLICAS') };
  expect(findUnknownVariables({ NATS_PASSWORD: 'part of NATS_URL' }, own)).toEqual([]);
  expect(
    find('TOLLGATE_GATEWAY_SERVICE_HOST', 'TOLLGATE_GATEWAY_SERVICE_PORT_LIVE', 'WEBHOOKS_PORT_80_TCP_ADDR'),
  ).toEqual([]);
  expect(findUnknownVariables({ WEBHOOKS_PORT: 'tcp://10.0.0.1:80' }, variables)).toEqual([]);
});

it('a process ignores what the SDK of OpenTelemetry may read, and finds a misspelt variable of its family', () => {
  const read = { OTEL_RESOURCE_ATTRIBUTES: 'a=b', OTEL_BSP_SCHEDULE_DELAY: '1', OTEL_SDK_DISABLED: 'true' };
  expect(findUnknownVariables(read, tracingVariables)).toEqual([]);
  expect(findUnknownVariables({ OTEL_EXPORTER_OTLP_ENDPONT: 'x' }, tracingVariables)).toEqual([
    { name: 'OTEL_EXPORTER_OTLP_ENDPONT', nearest: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  ]);
});

it('a process ignores the variables that the processors file names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unknown-variables-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'processors.yaml');
  writeFileSync(path, 'processors: { acme: { secrets: { env: TOLLGATE_ACME_SECRETS } } }');
  const env = { PROCESSORS_FILE: path, TOLLGATE_ACME_SECRETS: 'whsec_', TOLLGATE_ACME_SECRET: 'whsec_' };
  expect(findUnknownVariables(env, variables).map(({ name }) => name)).toEqual(['TOLLGATE_ACME_SECRET']);
  const missing = { PROCESSORS_FILE: `${path}.yaml`, TOLLGATE_ACME_SECRETS_FILE: '/run/acme' };
  expect(findUnknownVariables(missing, variables)).toHaveLength(1);
});

it('a process warns once of each, without its value', () => {
  const warnings: string[] = [];
  const logger = { warn: (message: string) => warnings.push(message) };
  warnOfUnknownVariables({ WEBHOOKS_CONCURENCY: 'hunter2' }, variables, logger);
  expect(warnings).toEqual([
    'The variable WEBHOOKS_CONCURENCY is set, but nothing reads it. Remove it, or correct its name. The most similar variable is WEBHOOKS_CONCURRENCY.',
  ]);
});
