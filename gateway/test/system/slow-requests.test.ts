import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { rawRequest } from '@tollgate/test-kit/raw-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../support/gateway-under-test.ts';
import { openRaw } from '../support/open-raw.ts';

/** Connections are checked every second, and the machine may be busy. */
const MAX_DELAY_MS = 3 * SECOND_MS;

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  // Until it knows a key, it cannot reject one.
  await gateway.putKey('live', { application_id: await gateway.putApplication() });
  await gateway.settled();
});
afterAll(() => gateway.stop());

describe.concurrent('a client that stops in the middle', () => {
  test('a client that stops in the middle of the headers gets its response after ten seconds', {
    timeout: 20_000,
  }, async () => {
    const { received, durationMs } = await untilClosed('GET /openapi.json HTTP/1.1\r\nhost: a\r\nx-');
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*did not arrive in time/);
    expect(durationMs).toBeGreaterThanOrEqual(10 * SECOND_MS - 100);
    expect(durationMs).toBeLessThan(10 * SECOND_MS + MAX_DELAY_MS);
  });

  test('a client that stops in the middle of the body of a rejected request loses the connection after five seconds', {
    timeout: 20_000,
  }, async () => {
    const { received, durationMs } = await untilClosed(
      rawRequest('POST /v1/payments HTTP/1.1', ['host: a', 'content-length: 100'], '{'),
    );
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
    expect(durationMs).toBeLessThan(5 * SECOND_MS + MAX_DELAY_MS);
  });
});

test('the connection of a rejected request is used again once its body has arrived', async () => {
  const connection = openRaw(gateway.urls.live);
  connection.write(rawRequest('POST /v1/payments HTTP/1.1', ['host: a', 'content-length: 2'], '{'));
  await connection.until('"code":"unauthenticated"');
  connection.write(`}${rawRequest('GET /openapi.json HTTP/1.1', ['host: a', 'connection: close'])}`);
  await connection.closed;
  expect(connection.received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});

async function untilClosed(text: string) {
  const connection = openRaw(gateway.urls.live);
  const startedAt = performance.now();
  connection.write(text);
  await connection.closed;
  return { received: connection.received(), durationMs: performance.now() - startedAt };
}
