import { expect, it } from 'vitest';
import {
  choice,
  commonVariables,
  connectionString,
  durationMs,
  flag,
  integer,
  list,
  readConfig,
  share,
  streamVariables,
  text,
  url,
} from './config.ts';

it('configuration reports every invalid and missing variable at once, with what each must be', () => {
  const read = () =>
    readConfig(
      {
        PORT: '70000',
        MODE: 'fast',
        DELAY: '5',
        ON: 'yes',
        STORE: 'http://x',
        DOCS: 'ftp://root:hunter2@x',
      },
      {
        port: integer('PORT', { min: 0, max: 65_535 }),
        mode: choice('MODE', ['slow', 'steady']),
        delayMs: durationMs('DELAY'),
        on: flag('ON'),
        name: text('NAME'),
        store: connectionString('STORE', { protocols: ['mongodb'] }),
        docs: url('DOCS', { protocols: ['http', 'https'] }),
      },
    );
  expect(read).toThrow(/PORT must be a whole number from 0 to 65535/);
  expect(read).toThrow(/MODE must be one of slow, steady/);
  expect(read).toThrow(/DELAY must be a duration/);
  expect(read).toThrow(/ON must be true or false/);
  expect(read).toThrow(/NAME is missing/);
  expect(read).toThrow(/STORE must be an address that starts with mongodb:\/\//);
  expect(read).toThrow(/DOCS must be an address that starts with http:\/\/ or https:\/\//);
  expect(read).not.toThrow(/hunter2/);
});

it('configuration uses defaults for absent and empty variables, and is frozen', () => {
  const config = readConfig(
    { NAME: '  ', DELAY: '15m', CIDRS: '10.0.0.0/8, ::1/128' },
    {
      name: text('NAME', { default: 'tollgate' }),
      delayMs: durationMs('DELAY', { default: 1 }),
      cidrs: list('CIDRS', { default: [] }),
    },
  );
  expect(config).toEqual({ name: 'tollgate', delayMs: 900_000, cidrs: ['10.0.0.0/8', '::1/128'] });
  expect(Object.isFrozen(config)).toBe(true);
});

it('configuration accepts durations up to ten years, so that every time computed from them is a valid date', () => {
  const read = (DELAY: string) => readConfig({ DELAY }, { delayMs: durationMs('DELAY') }).delayMs;
  expect(read('3650d')).toBe(3_650 * 86_400_000);
  for (const tooLong of ['3651d', '999999999d', '87601h']) {
    expect(() => read(tooLong)).toThrow('DELAY must be at most 3650d');
  }
});

it('configuration accepts a share from 0 to 1', () => {
  const read = (SHARE: string) => readConfig({ SHARE }, { value: share('SHARE') }).value;
  expect(['0', '0.25', '1'].map(read)).toEqual([0, 0.25, 1]);
  for (const wrong of ['1.1', '-1', 'half'])
    expect(() => read(wrong)).toThrow('must be a number from 0 to 1');
});

it('configuration has one NATS replica by default, and as many as NATS_REPLICAS sets', () => {
  const { natsReplicas } = streamVariables;
  expect(readConfig({}, { natsReplicas })).toEqual({ natsReplicas: 1 });
  expect(readConfig({ NATS_REPLICAS: '3' }, { natsReplicas })).toEqual({ natsReplicas: 3 });
  expect(() => readConfig({ NATS_REPLICAS: '0' }, { natsReplicas })).toThrow('NATS_REPLICAS must be');
});

it('configuration accepts the complete NATS addresses of one or several servers', () => {
  const { natsUrl } = commonVariables;
  for (const address of ['nats://a', 'tls://u:pw@a:4222, tls://u:pw@[::1]:4222']) {
    expect(readConfig({ NATS_URL: address }, { natsUrl })).toEqual({ natsUrl: address });
  }
  const wrong = [
    'nats://a,b',
    'nats://',
    'nats://a,',
    'http://a',
    'nats://a,tls://a',
    'nats://u:hunter2@a,nats://b',
  ];
  for (const address of wrong) {
    const read = () => readConfig({ NATS_URL: address }, { natsUrl });
    expect(read, address).toThrow('NATS_URL must');
    expect(read).not.toThrow('hunter2');
  }
});

it('configuration accepts connection strings with several hosts', () => {
  const nodes = 'mongodb://user:pw@a:27017,b:27017/?replicaSet=rs0';
  expect(readConfig({ DB: nodes }, { db: connectionString('DB', { protocols: ['mongodb'] }) })).toEqual({
    db: nodes,
  });
});
