import { newId } from '@tollgate/contracts/platform/ids';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { beforeEach, expect, it } from 'vitest';
import type { Session } from '../request/request-state.ts';
import {
  createSharedSessions,
  MAX_SHARED_SESSIONS,
  SHARED_SESSION_MS,
  type SharedSessions,
} from './shared-sessions.ts';

let clock: FakeClock;
let sessions: SharedSessions;
let opened: number;

beforeEach(() => {
  clock = createFakeClock();
  sessions = createSharedSessions(clock);
  opened = 0;
});

async function open({ isShareable = true } = {}): Promise<Session> {
  opened += 1;
  return {
    id: newId('session'),
    isShareable,
    actorTokenFor: () => '',
    caller: { type: 'member', memberId: newId('member'), teamId: newId('team') },
  };
}

it('calls with the same key share a session while it is opened, and for a second from then', async () => {
  const [first, second] = await Promise.all([sessions.share('a', open), sessions.share('a', open)]);
  clock.advance(SHARED_SESSION_MS - 1);
  expect([second, await sessions.share('a', open)]).toEqual([first, first]);
  expect(opened).toBe(1);
});

it('reuse does not extend a shared session', async () => {
  await sessions.share('a', open);
  clock.advance(SHARED_SESSION_MS - 1);
  await sessions.share('a', open);
  clock.advance(1);
  await sessions.share('a', open);
  expect(opened).toBe(2);
});

it('a clock that was set back does not extend a shared session', async () => {
  await sessions.share('a', open);
  clock.advance(-1);
  await sessions.share('a', open);
  expect(opened).toBe(2);
});

it('calls with different keys share nothing', async () => {
  await Promise.all([sessions.share('a', open), sessions.share('b', open)]);
  expect(opened).toBe(2);
});

it('a session whose token is for one call only is not shared', async () => {
  const openLimited = () => open({ isShareable: false });
  const [first, second] = await Promise.all([
    sessions.share('a', openLimited),
    sessions.share('a', openLimited),
  ]);
  expect(first.id).not.toBe(second.id);
  await sessions.share('a', openLimited);
  expect(opened).toBe(3);
});

it('a failure to open a session is not shared', async () => {
  const failing = sessions.share('a', () => Promise.reject(new Error('down')));
  const waiting = sessions.share('a', open);
  await expect(failing).rejects.toThrow('down');
  expect(await sessions.share('a', open)).toBe(await waiting);
  expect(opened).toBe(1);
});

it('the number of shared sessions is bounded: the oldest is dropped', async () => {
  for (let key = 0; key <= MAX_SHARED_SESSIONS; key += 1) await sessions.share(String(key), open);
  await sessions.share('1', open);
  expect(opened).toBe(MAX_SHARED_SESSIONS + 1);
  await sessions.share('0', open);
  expect(opened).toBe(MAX_SHARED_SESSIONS + 2);
});
