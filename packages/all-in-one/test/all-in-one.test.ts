import type { Component } from '@tollgate/runtime/component';
import { ConfigError, type Environment } from '@tollgate/runtime/config';
import { createLogger } from '@tollgate/runtime/logger';
import { beforeEach, describe, expect, it } from 'vitest';
import { allInOne } from '../src/all-in-one.ts';
import { STAGES } from '../src/components.ts';

const logger = createLogger({ service: 'test' });
const environments = (of: Record<string, Environment>) => ({ COMPONENT_ENVIRONMENTS: JSON.stringify(of) });

let log: string[];
let read: Record<string, Environment>;
beforeEach(() => {
  log = [];
  read = {};
});

function component(name: string): Component {
  return {
    name,
    async start(env) {
      read[name] = env;
      return { logger, stop: async () => void log.push(`stopped ${name}`) };
    },
  };
}

describe('components in one process', () => {
  it('get the variables of the process and their own, and none of the others', async () => {
    const both = allInOne([[component('service'), component('gateway')]]);
    await both.start({
      LOG_LEVEL: 'warn',
      ...environments({ service: { PORT: '1', SECRET: 'a' }, gateway: { PORT: '2' } }),
    });
    expect(read).toEqual({
      service: { LOG_LEVEL: 'warn', PORT: '1', SECRET: 'a' },
      gateway: { LOG_LEVEL: 'warn', PORT: '2' },
    });
  });

  it('stop in the reverse order of their stages', async () => {
    const stages = [[component('service')], [component('gateway')], [component('dashboard')]];
    const running = await allInOne(stages).start(environments({ service: {}, gateway: {}, dashboard: {} }));
    await running.stop();
    expect(log).toEqual(['stopped dashboard', 'stopped gateway', 'stopped service']);
  });

  it('are the services, the gateway, and the dashboard', () => {
    expect(STAGES.map((stage) => stage.map(({ name }) => name))).toEqual([
      ['accounts', 'applications', 'payments', 'webhooks', 'usage', 'audit'],
      ['gateway'],
      ['dashboard'],
    ]);
  });
});

describe('the variables of the components', () => {
  const start = (text: string) => allInOne([[component('service')]]).start({ COMPONENT_ENVIRONMENTS: text });

  it.each([
    ['', 'must be JSON'],
    ['{"service": {"SECRET": "hunter2"', 'must be JSON'],
    ['null', 'must have an object of variables for service'],
    ['{"gateway": {}}', 'must have an object of variables for service'],
    ['{"service": {"SECRET": 1}}', 'must have an object of variables for service'],
  ])('%s is rejected without its content', async (text, reason) => {
    const error = await start(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(`COMPONENT_ENVIRONMENTS ${reason}`);
    expect(String(error)).not.toContain('hunter2');
  });
});
