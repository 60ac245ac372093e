import { describe, expect, it } from 'vitest';
import { endpointState, needsAttention } from './endpoint-state.ts';

const AT = '2026-11-21T12:00:00.000Z';
const working = { status: 'enabled', paused_until: null, failing_since: null, disabled: null } as const;
const failing = { ...working, failing_since: AT };
const paused = { ...failing, paused_until: AT };
const disabledBy = (by: 'member' | 'gone') =>
  ({ ...failing, status: 'disabled', disabled: { by, reason: null, at: AT } }) as const;

describe('the state of a webhook endpoint', () => {
  it.each([
    ['enabled', working],
    ['failing', failing],
    ['paused', paused],
    ['disabled', disabledBy('gone')],
  ] as const)('%s', (state, endpoint) => {
    expect(endpointState(endpoint)).toBe(state);
  });

  it('the state of a webhook endpoint needs attention when it fails or the platform has disabled it, but not when a member has disabled it', () => {
    expect([working, failing, paused, disabledBy('gone'), disabledBy('member')].map(needsAttention)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});
