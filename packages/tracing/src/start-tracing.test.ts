import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startSpan } from './span.ts';
import { startTracing } from './start-tracing.ts';

const run = promisify(execFile);
const REQUEST = {
  component: 'gateway',
  name: 'request',
  kind: 'server',
  parent: null,
  beginsTrace: true,
} as const;

/** Starts tracing in a process of its own, and returns the modules of OpenTelemetry that it loaded. */
async function loadedWith(endpoint: string): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve: (specifier, context, next) => (loaded.push(specifier), next(specifier, context)) });
    const { startTracing } = await import(${JSON.stringify(new URL('./start-tracing.ts', import.meta.url).href)});
    await startTracing({ version: '1', endpoint: ${JSON.stringify(endpoint)}, sampledShare: 1 });
    console.log(JSON.stringify(loaded.filter((name) => name.startsWith('@opentelemetry/'))));
    process.exit();
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout) as string[];
}

it('tracing loads the SDK only if spans are sent', async () => {
  expect(await loadedWith('')).toEqual([]);
  expect(await loadedWith('http://127.0.0.1:4318')).toContain('@opentelemetry/sdk-trace');
}, 30_000);

it('tracing passes the trace of the caller on if spans are not sent', async () => {
  const logger = { warn: () => undefined };
  await startTracing({ version: '1', endpoint: '', sampledShare: 1, logger });
  expect(startSpan(REQUEST).trace).toBeNull();
});

it('tracing sends the name of an error, and not its message, which can contain a password', async () => {
  const sent: Buffer[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => sent.push(chunk));
    request.on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const logger = { warn: () => undefined };
  const endpoint = `http://127.0.0.1:${port}`;
  const tracing = await startTracing({ version: '1', endpoint, sampledShare: 1, logger });
  startSpan(REQUEST).end({ error: new TypeError('mongodb://app:hunter2@db is unreachable') });
  await tracing.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const text = Buffer.concat(sent).toString('latin1');
  expect(text).toContain('TypeError');
  expect(text).not.toContain('hunter2');
}, 30_000);

it('tracing names the component of each span, also of several in one process', async () => {
  const sent: { resourceSpans: { resource: object; scopeSpans: { spans: { name: string }[] }[] }[] }[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      sent.push(body as (typeof sent)[number]);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const logger = { warn: () => undefined };
  const endpoint = `http://127.0.0.1:${port}`;
  const tracing = await startTracing({ version: '1', endpoint, sampledShare: 1, logger });
  for (const component of ['gateway', 'payments', 'gateway']) startSpan({ ...REQUEST, component }).end();
  await tracing.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const spans = sent
    .flatMap(({ resourceSpans }) => resourceSpans)
    .map(({ resource, scopeSpans }) => [
      /"service.name","value":\{"stringValue":"(\w+)"/.exec(JSON.stringify(resource))?.[1],
      scopeSpans.flatMap((scope) => scope.spans).length,
    ]);
  expect(spans.sort()).toEqual([
    ['gateway', 2],
    ['payments', 1],
  ]);
}, 30_000);

it('tracing without its collector warns once, and delays a stop by seconds only', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const warnings: string[] = [];
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const endpoint = `http://127.0.0.1:${port}`;
  const tracing = await startTracing({ version: '1', endpoint, sampledShare: 1, logger });
  const { trace, end } = startSpan(REQUEST);
  expect(trace?.traceparent).toMatch(/-01$/);
  end();
  const startedAtMs = performance.now();
  await tracing.stop();
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  expect(warnings).toEqual([expect.stringContaining('check OTEL_EXPORTER_OTLP_ENDPOINT')]);
  expect(startSpan(REQUEST).trace).toBeNull();
}, 30_000);
