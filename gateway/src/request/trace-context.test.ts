import { describe, expect, test } from 'vitest';
import { traceContextOf } from './trace-context.ts';

const VALID = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('traceparent', () => {
  test.each([VALID, VALID.replace('00-', '01-'), `${VALID.replace('00-', 'cc-')}-what-the-future-holds`])(
    '%j is kept as it is',
    (header) => {
      expect(traceContextOf({ traceparent: header, tracestate: 'vendor=1' })).toEqual({
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
  ])('%j is replaced with a new one', (header) => {
    const { traceparent, traceId, tracestate } = traceContextOf({
      ...(header !== undefined && { traceparent: header }),
      tracestate: 'vendor=1',
    });
    expect(tracestate).toBeNull();
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(traceparent).toContain(traceId);
    expect(traceparent).not.toBe(header);
  });
});
