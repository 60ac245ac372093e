import type { Component } from '@tollgate/runtime/component';
import { ConfigError, type Environment, integer, readConfig } from '@tollgate/runtime/config';
import { beforeEach, describe, expect, it } from 'vitest';
import { STAGES } from '../src/components.ts';
import { configureStages } from '../src/configure-stages.ts';

const environments = (of: Record<string, Environment>) => ({ COMPONENT_ENVIRONMENTS: JSON.stringify(of) });

let read: Record<string, Environment>;
beforeEach(() => {
  read = {};
});

/** A component that reads these variables, each a number. */
function component(name: string, ...variables: string[]): Component {
  return {
    name,
    configure(env) {
      read[name] = env;
      readConfig(env, Object.fromEntries(variables.map((each) => [each, integer(each, { min: 1, max: 9 })])));
      return { drainDelayMs: 0, start: () => Promise.reject(new Error('not started')) };
    },
  };
}

function problemsOf(configure: () => unknown): readonly string[] {
  try {
    configure();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

it('components in one process get the variables of the process and their own, and none of the others', () => {
  configureStages([[component('service'), component('gateway')]], {
    LOG_LEVEL: 'warn',
    ...environments({ service: { PORT: '1', SECRET: 'a' }, gateway: { PORT: '2' } }),
  });
  expect(read).toEqual({
    service: { LOG_LEVEL: 'warn', PORT: '1', SECRET: 'a' },
    gateway: { LOG_LEVEL: 'warn', PORT: '2' },
  });
});

it('components in one process report all invalid variables at once, each with the components that read it', () => {
  const stages = [[component('service', 'LIMIT', 'PORT')], [component('gateway', 'LIMIT')]];
  const env = { LIMIT: '10', ...environments({ service: {}, gateway: {} }) };
  expect(problemsOf(() => configureStages(stages, env))).toEqual([
    'service, gateway: LIMIT must be a whole number from 1 to 9, not "10".',
    'service: PORT is missing. Set it in the environment.',
  ]);
});

it('components in one process are the services, the gateway, and the dashboard', () => {
  expect(STAGES.map((stage) => stage.map(({ name }) => name))).toEqual([
    ['accounts', 'applications', 'payments', 'webhooks', 'usage', 'audit'],
    ['gateway'],
    ['dashboard'],
  ]);
});

describe('the variables of the components', () => {
  it.each([
    ['', 'must be JSON'],
    ['{"service": {"SECRET": "hunter2"', 'must be JSON'],
    ['null', 'must have an object of variables for service'],
    ['{"gateway": {}}', 'must have an object of variables for service'],
    ['{"service": {"SECRET": 1}}', 'must have an object of variables for service'],
  ])('%s is rejected without its content', (text, reason) => {
    const problems = problemsOf(() =>
      configureStages([[component('service')]], { COMPONENT_ENVIRONMENTS: text }),
    ).join();
    expect(problems).toContain(`COMPONENT_ENVIRONMENTS ${reason}`);
    expect(problems).not.toContain('hunter2');
  });
});
