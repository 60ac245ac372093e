import { generateKeyPairSync } from 'node:crypto';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { newId } from '@tollgate/contracts/platform/ids';
import { systemClock } from '@tollgate/runtime/clock';
import { beforeEach, expect, it } from 'vitest';
import { createActorProver } from './actor-proof.ts';
import { createActorSigner, createActorVerifier } from './actor-token.ts';

const SUBJECT = 'rpc.test.list';
const actor: Actor = {
  type: 'member',
  member_id: newId('member'),
  team_id: newId('team'),
  role: 'owner',
  address: null,
  session_id: newId('session'),
  authenticated_at: '2999-01-01T00:00:00.000Z',
  name: 'Ada',
  user_agent: 'test',
  request_id: null,
};
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const sign = createActorSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), systemClock);
const verify = createActorVerifier(
  [publicKey.export({ type: 'spki', format: 'pem' }).toString()],
  systemClock,
);
const gateway = createActorProver();
const requestId = newId('request');
let token: string;

beforeEach(async () => {
  token = await sign(actor, { proofKey: gateway.proofKey });
});

it('an actor token for proofs is valid for every RPC that its process proves, with the admin request of the proof', async () => {
  for (const subject of [SUBJECT, 'rpc.other.change']) {
    const other = newId('request');
    const proven = await verify(gateway.prove(token, subject, other), subject);
    expect(proven).toEqual({ ...actor, request_id: other });
  }
});

it('a proof is rejected for another RPC, admin request, actor token, or process', async () => {
  const proven = gateway.prove(token, SUBJECT, requestId);
  const [, , signature] = proven.split('~');
  const lowerRole = await sign({ ...actor, role: 'viewer' }, { proofKey: gateway.proofKey });
  const rejected = [
    gateway.prove(token, 'rpc.test.change', requestId),
    [token, newId('request'), signature].join('~'),
    [lowerRole, requestId, signature].join('~'),
    createActorProver().prove(token, SUBJECT, requestId),
  ];
  for (const text of rejected) await expect(verify(text, SUBJECT)).rejects.toThrow('forbidden');
  expect(await verify(proven, SUBJECT)).toMatchObject({ role: 'owner' });
});

it.each([
  ['no proof', () => token],
  ['an empty proof', () => `${token}~~`],
  ['a malformed signature', () => `${token}~${requestId}~x`],
  ['a malformed request id', () => gateway.prove(token, SUBJECT, 'x')],
])('an actor token for proofs is rejected with %s', async (_case, text) => {
  await expect(verify(text(), SUBJECT)).rejects.toThrow('forbidden');
});

it('a proof does not extend an actor token to RPCs that the token does not name', async () => {
  const named = await sign(actor, ['rpc.test.read']);
  await expect(verify(gateway.prove(named, SUBJECT, requestId), SUBJECT)).rejects.toThrow('forbidden');
});
