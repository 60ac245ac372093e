import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY, CASES, readCases, type WebhookCase } from '../cases/case-file.ts';
import { type ScriptedServer, startScriptedServer } from '../cases/scripted-server.ts';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const TSC = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
const TYPES = fileURLToPath(new URL('../../../../node_modules/@types', import.meta.url));
/** What each kind of application sets in its tsconfig.json. */
const ON_NODE = { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [TYPES] };
const WITH_BUNDLER = {
  module: 'esnext',
  moduleResolution: 'bundler',
  exactOptionalPropertyTypes: false,
  lib: ['es2022', 'dom'],
  types: [],
  noEmit: true,
};
const REPLIES = [
  { status: 201, payment: {} },
  { status: 200, payment: { status: 'canceled' } },
  { status: 404, problem: { code: 'payment-not-found', retryable: false } },
];
/** What Workers and other edge runtimes have, of that which the package needs. */
const EDGE_GLOBALS = [
  'AbortController',
  'Headers',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'atob',
  'btoa',
  'clearTimeout',
  'crypto',
  'fetch',
  'performance',
  'setTimeout',
] as const;
const RESULT = [
  'sandbox',
  '12.50',
  'canceled',
  '200',
  'payment-not-found',
  'succeeded',
  'payment.failed',
  'WebhookVerificationError',
];

let server: ScriptedServer;
/** A folder in which the packed package is installed, with an application and the code of the README, compiled to JavaScript. */
let consumer: string;

beforeAll(async () => {
  server = await startScriptedServer();
  consumer = mkdtempSync(join(realpathSync(tmpdir()), 'sdk-consumer-'));
  cpSync(`${PACKAGE}/test/consumer`, consumer, { recursive: true });
  cpSync(`${PACKAGE}/test/consumer`, `${consumer}/commonjs`, { recursive: true });
  writeFileSync(`${consumer}/package.json`, '{ "type": "module", "private": true }');
  writeFileSync(`${consumer}/commonjs/package.json`, '{ "type": "commonjs", "private": true }');
  cpSync(`${CASES}/requests.json`, `${consumer}/requests.json`);
  installPacked(`${consumer}/node_modules/@tollgate/sdk`);
  writeFileSync(`${consumer}/readme.ts`, codeOfReadme());
  // Also asserts that the declarations of the package are valid for Node with its own types, without skipLibCheck.
  await compile(ON_NODE);
});
afterAll(async () => {
  await server?.stop();
  if (consumer) rmSync(consumer, { recursive: true, force: true });
});

/** Unpacks what `npm pack` creates: nothing of the repository is reachable from there. */
function installPacked(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', consumer], {
    cwd: PACKAGE,
    stdio: 'ignore',
  });
  const [tarball] = readdirSync(consumer).filter((file) => file.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', `${consumer}/${tarball}`, '--strip-components=1', '-C', folder]);
}

function codeOfReadme(): string {
  const readme = readFileSync(`${PACKAGE}/README.md`, 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  return blocks.join('').replace("'http://localhost:8081'", "process.env['BASE_URL'] as string");
}

/** Compiles the application, and checks the declarations of the package as well. */
function compile(options: object, include = ['**/*.ts']): Promise<unknown> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    ...options,
  };
  writeFileSync(`${consumer}/tsconfig.json`, JSON.stringify({ compilerOptions, include }));
  return run(process.execPath, [TSC, '-p', consumer]);
}

async function input() {
  const { baseUrl } = await server.start(REPLIES);
  const [valid] = readCases<WebhookCase>('webhooks.json') as [WebhookCase];
  const { body, headers, secrets, now } = valid;
  return {
    apiKey: API_KEY,
    baseUrl,
    webhook: { body, headers, secret: secrets[0] as string, nowMs: now * 1_000 },
  };
}

/** Every Node on the PATH, such as that of the system and that of the repository, once per version. */
function installedNodes(): [version: string, command: string][] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const versions = [process.execPath, ...folders.map((folder) => join(folder, 'node'))].flatMap(
    (path): [string, string][] => {
      try {
        return [[`Node ${execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()}`, path]];
      } catch {
        return [];
      }
    },
  );
  return [...new Map(versions)];
}

/** Other runtimes that the caller has installed: `SDK_RUNTIMES='bun run,deno run --allow-net --allow-read'`. */
const others = (process.env['SDK_RUNTIMES'] ?? '').split(',').filter((command) => command !== '');
const RUNTIMES = [...installedNodes(), ...others.map((command) => [command, command] as const)];

async function runOn(command: string, script: string, argument: string): Promise<unknown> {
  const [path = '', ...args] = command.split(' ');
  const { stdout } = await run(path, [...args, script, argument], { cwd: consumer });
  return JSON.parse(stdout);
}

describe('the packed package', () => {
  it('type-checks in an application with a bundler and DOM types, without exactOptionalPropertyTypes and skipLibCheck', async () => {
    await expect(compile(WITH_BUNDLER, ['main.ts', 'undefined-options.ts'])).resolves.toMatchObject({
      stdout: '',
    });
  });

  describe.each(RUNTIMES)('on %s', (_runtime, command) => {
    it.each(['main.js', 'commonjs/main.js'])(
      'the packed package runs in an application as %s',
      async (script) => {
        expect(await runOn(command, script, JSON.stringify(await input()))).toEqual(RESULT);
      },
    );

    it('the packed package behaves as every request case says', async () => {
      expect(await runOn(command, 'run-cases.mjs', server.address)).toEqual([]);
    });
  });

  it('the packed package runs the code of the README', async () => {
    const { baseUrl } = await server.start([
      { status: 201, payment: { id: 'pay_1' } },
      { payment: { id: 'pay_1', next_action: { type: 'redirect', url: 'https://processor.example/1' } } },
      { payment: { id: 'pay_1', status: 'canceled' } },
      {
        status: 409,
        problem: { code: 'payment-not-cancelable', payment_status: 'canceled', retryable: false },
      },
      { payment: { id: 'pay_1' } },
    ]);
    const env = { ...process.env, TOLLGATE_API_KEY: API_KEY, BASE_URL: baseUrl };
    const { stdout } = await run(process.execPath, ['readme.js'], { cwd: consumer, env });
    expect(stdout.trim().split('\n')).toEqual([
      'pay_1 pending',
      'Send the payer to https://processor.example/1',
      'Too late: canceled',
      'order-4711 is paid',
      '204',
    ]);
  });

  it('the packed package runs as an edge bundle, with web standards as the only globals and without eval', async () => {
    const build = await rolldown({ input: `${consumer}/journey.js`, platform: 'neutral' });
    const { output } = await build.generate({ format: 'iife', name: 'bundle' });
    const globals = Object.fromEntries(EDGE_GLOBALS.map((name) => [name, globalThis[name]]));
    const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
    runInContext(output[0].code, context);
    const result = await runInContext(`bundle.journey(${JSON.stringify(await input())})`, context);
    expect([...result]).toEqual(RESULT);
  });
});
