import { expect, it } from 'vitest';
import { flag, integer, text, type VariableTable } from './config.ts';
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

it('finds misspelt variables, with the variable that is probably meant', () => {
  expect(
    find('WEBHOOKS_MAX_CONCURRENCY', 'REQUEST_LOG_KETP', 'WEBHOOK_ENCRYPTION_KEY_FILE', 'TOLLGATE_DATADIR'),
  ).toEqual([
    { name: 'WEBHOOKS_MAX_CONCURRENCY', nearest: 'WEBHOOKS_CONCURRENCY' },
    { name: 'REQUEST_LOG_KETP', nearest: 'REQUEST_LOG_KEPT' },
    { name: 'WEBHOOK_ENCRYPTION_KEY_FILE', nearest: 'WEBHOOK_ENCRYPTION_KEYS_FILE' },
    { name: 'TOLLGATE_DATADIR', nearest: 'TOLLGATE_DATA_DIR' },
  ]);
});

it('finds nothing in the variables of this process, and of the files of its secrets', () => {
  expect(find('WEBHOOKS_CONCURRENCY', 'WEBHOOK_ENCRYPTION_KEYS_FILE', 'HOST')).toEqual([]);
});

it('ignores variables of other processes, of Kubernetes, and of other programs', () => {
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
  const own = {
    url: text('NATS_URL'),
    replicas: text('NATS_REPLICAS'),
    otlp: text('OTEL_A'),
    share: text('OTEL_B'),
  };
  const read = { NATS_PASSWORD: 'part of NATS_URL', OTEL_RESOURCE_ATTRIBUTES: 'read by the SDK' };
  expect(findUnknownVariables(read, own)).toEqual([]);
  expect(
    find('TOLLGATE_GATEWAY_SERVICE_HOST', 'TOLLGATE_GATEWAY_SERVICE_PORT_LIVE', 'WEBHOOKS_PORT_80_TCP_ADDR'),
  ).toEqual([]);
  expect(findUnknownVariables({ WEBHOOKS_PORT: 'tcp://10.0.0.1:80' }, variables)).toEqual([]);
});

it('warns once of each, without its value', () => {
  const warnings: string[] = [];
  const logger = { warn: (message: string) => warnings.push(message) };
  warnOfUnknownVariables({ WEBHOOKS_CONCURENCY: 'hunter2' }, variables, logger);
  expect(warnings).toEqual([
    'The variable WEBHOOKS_CONCURENCY is set, but nothing reads it. Remove it, or correct its name. The most similar variable is WEBHOOKS_CONCURRENCY.',
  ]);
});
