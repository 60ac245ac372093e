import { describe, expect, test } from 'vitest';
import { newTraceContext, parseTraceContext, traceHeaders } from './trace-context.ts';

const VALID = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('traceparent', () => {
  test.each([VALID, VALID.replace('00-', '01-'), `${VALID.replace('00-', 'cc-')}-what-the-future-holds`])(
    '%j is kept as it is',
    (header) => {
      expect(parseTraceContext(header, 'vendor=1')).toEqual({
        traceparent: header,
        traceId: '0af7651916cd43dd8448eb211c80319c',
        tracestate: 'vendor=1',
      });
    },
  );

  test.each([
    undefined,
    '',
    'nonsense',
    VALID.toUpperCase(),
    `${VALID}-more`,
    VALID.replace('00-', 'ff-'),
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    `${VALID}, ${VALID}`,
  ])('%j is not valid', (header) => {
    expect(parseTraceContext(header, 'vendor=1')).toBeNull();
  });

  test('traceparent of a new trace is valid and not sampled', () => {
    const { traceparent, traceId, tracestate } = newTraceContext();
    expect(traceparent).toBe(`00-${traceId}-${traceparent.slice(36, 52)}-00`);
    expect(parseTraceContext(traceparent)).toEqual({ traceparent, traceId, tracestate });
    expect(newTraceContext().traceId).not.toBe(traceId);
  });

  test('traceparent is sent with tracestate, if there is one', () => {
    expect(traceHeaders(parseTraceContext(VALID, 'vendor=1'))).toEqual({
      traceparent: VALID,
      tracestate: 'vendor=1',
    });
    expect(traceHeaders(parseTraceContext(VALID))).toEqual({ traceparent: VALID });
    expect(traceHeaders(null)).toEqual({});
  });
});
