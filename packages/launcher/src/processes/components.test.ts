import { expect, it } from 'vitest';
import { dataPaths } from '../data-dir.ts';
import { generateSecrets } from '../secrets.ts';
import { readSettings } from '../settings.ts';
import { listComponents } from './components.ts';

const SWITCHES = ['CHAT', 'SSO', 'WEBHOOKS'].map((part) => `${part}_ALLOW_PRIVATE_NETWORKS`);

/** The switches as the components read them. */
function switchesOf(env: Record<string, string>): string[] {
  const settings = readSettings(env);
  const stages = listComponents({
    settings,
    secrets: generateSecrets(),
    paths: dataPaths(settings.dataDir),
    urls: { natsUrlOf: () => '', mongodbUrlOf: () => '' },
    mail: { smtpUrl: '', from: '', inboxUrl: '' },
    internalPorts: [],
    inherited: env,
  });
  const variables = Object.assign({}, ...stages.flat().map((component) => component.env));
  return SWITCHES.map((name) => variables[name]);
}

it.each([
  ["on a developer's machine", {}, 'true'],
  ['in the image', { TOLLGATE_PREBUILT: 'true' }, 'false'],
  ['on an address that others reach', { TOLLGATE_HOST: '0.0.0.0' }, 'false'],
])('private networks have a default %s, and follow the environment', (_where, env, expected) => {
  expect(switchesOf(env)).toEqual(SWITCHES.map(() => expected));
  for (const value of ['true', 'false']) {
    const set = Object.fromEntries(SWITCHES.map((name) => [name, value]));
    expect(switchesOf({ ...env, ...set })).toEqual(SWITCHES.map(() => value));
  }
});
