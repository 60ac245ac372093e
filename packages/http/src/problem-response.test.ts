import type { ProblemDetails } from '@tollgate/contracts/platform/problem';
import { describe, expect, it } from 'vitest';
import { problemResponse } from './problem-response.ts';

const respond = (details: ProblemDetails, request = { method: 'GET', hasIdempotencyKey: false }) =>
  problemResponse(details, { requestId: 'req_1', docsBaseUrl: 'http://localhost:8080/docs', request });

describe('problem responses', () => {
  it('problem responses have all members of RFC 9457 and the extension members', () => {
    const { status, headers, body } = respond({
      code: 'invalid-request',
      detail: 'No.',
      errors: [{ pointer: '/amount', code: 'missing', detail: 'This field is required.' }],
    });
    expect(status).toBe(400);
    expect(headers).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-should-retry': 'false',
    });
    expect(JSON.parse(body)).toEqual({
      type: 'http://localhost:8080/docs/errors/invalid-request',
      title: 'Invalid request',
      status: 400,
      detail: 'No.',
      code: 'invalid-request',
      request_id: 'req_1',
      retryable: false,
      errors: [{ pointer: '/amount', code: 'missing', detail: 'This field is required.' }],
    });
  });

  it('problem responses say in the header and in the body whether the request may be repeated', () => {
    const unknown = { code: 'upstream-timeout', detail: '' } as const;
    for (const [hasIdempotencyKey, retryable] of [
      [false, false],
      [true, true],
    ] as const) {
      const { headers, body } = respond(unknown, { method: 'POST', hasIdempotencyKey });
      expect(headers['x-should-retry']).toBe(String(retryable));
      expect(JSON.parse(body)).toMatchObject({ retryable });
    }
  });

  it.each<[ProblemDetails, string | undefined]>([
    [{ code: 'unauthenticated', detail: '' }, 'Bearer'],
    [{ code: 'ip-not-allowed', detail: '' }, 'Bearer'],
    [{ code: 'application-disabled', detail: '' }, 'Bearer'],
    [{ code: 'invalid-api-key', detail: '' }, 'Bearer error="invalid_token"'],
    [
      { code: 'insufficient-scope', detail: '', extensions: { required_scope: 'payment:read' } },
      'Bearer error="insufficient_scope", scope="payment:read"',
    ],
    [{ code: 'payment-not-found', detail: '' }, undefined],
  ])('problem responses have the challenge that RFC 6750 §3 defines: %j', (details, challenge) => {
    expect(respond(details).headers['www-authenticate']).toBe(challenge);
  });

  it('round Retry-After up to whole seconds, at least one', () => {
    expect(respond({ code: 'rate-limited', detail: '', retryAfterS: 0.01 }).headers).toMatchObject({
      'retry-after': '1',
      'x-should-retry': 'true',
    });
  });
});
