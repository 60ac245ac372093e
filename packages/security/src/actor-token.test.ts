import { generateKeyPairSync } from 'node:crypto';
import type { Actor, TokenActor } from '@tollgate/contracts/accounts/actor';
import { newId } from '@tollgate/contracts/platform/ids';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { createActorSigner, createActorVerifier } from './actor-token.ts';

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey,
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

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
const SUBJECT = 'rpc.test.who_am_i';
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number) => ({ now: () => ms });
const pair = keyPair();

it('actor tokens are valid for less than 60 s, and slightly before their time of issue because clocks differ', async () => {
  const token = await createActorSigner(pair.privatePem, at(nowMs))(actor, [SUBJECT]);
  for (const ageMs of [-4_000, 0, 59_000]) {
    expect(await createActorVerifier([pair.publicPem], at(nowMs + ageMs))(token, SUBJECT)).toEqual(actor);
  }
  for (const ageMs of [-10_000, 60_000, 64_000]) {
    await expect(createActorVerifier([pair.publicPem], at(nowMs + ageMs))(token, SUBJECT)).rejects.toThrow(
      'forbidden',
    );
  }
});

it('actor tokens state an API token as well as a member', async () => {
  const apiToken: TokenActor = {
    type: 'token',
    token_id: newId('apiToken'),
    team_id: actor.team_id,
    role: 'developer',
    environments: ['sandbox'],
    address: null,
    name: 'Deployment',
    user_agent: null,
    request_id: null,
  };
  const token = await createActorSigner(pair.privatePem, at(nowMs))(apiToken, [SUBJECT]);
  expect(await createActorVerifier([pair.publicPem], at(nowMs))(token, SUBJECT)).toEqual(apiToken);
});

it('actor tokens of an unknown type of actor are rejected', async () => {
  const unknown = { ...actor, type: 'robot' } as unknown as Actor;
  const token = await createActorSigner(pair.privatePem, at(nowMs))(unknown, [SUBJECT]);
  await expect(createActorVerifier([pair.publicPem], at(nowMs))(token, SUBJECT)).rejects.toThrow('forbidden');
});

it('actor tokens are rejected at that age whatever their expiry time is', async () => {
  const issuedAtS = nowMs / 1000;
  const token = await new SignJWT({ actor })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'tollgate-actor+jwt' })
    .setAudience(SUBJECT)
    .setIssuedAt(issuedAtS)
    .setExpirationTime(issuedAtS + 3_600)
    .sign(pair.privateKey);
  expect(await createActorVerifier([pair.publicPem], at(nowMs + 59_000))(token, SUBJECT)).toEqual(actor);
  await expect(createActorVerifier([pair.publicPem], at(nowMs + 61_000))(token, SUBJECT)).rejects.toThrow(
    'forbidden',
  );
});

it('actor tokens are valid when signed with the key of any of several public keys', async () => {
  const token = await createActorSigner(pair.privatePem, at(nowMs))(actor, [SUBJECT]);
  const verify = createActorVerifier([keyPair().publicPem, pair.publicPem], at(nowMs));
  expect(await verify(token, SUBJECT)).toEqual(actor);
});

it('actor tokens are rejected when signed with another key, of another type, without an expiry time, or malformed', async () => {
  const verify = createActorVerifier([pair.publicPem], at(nowMs));
  const issuedAtS = nowMs / 1000;
  const sign = (typ: string, exp?: number) => {
    const jwt = new SignJWT({ actor })
      .setProtectedHeader({ alg: 'EdDSA', typ })
      .setAudience(SUBJECT)
      .setIssuedAt(issuedAtS);
    return (exp ? jwt.setExpirationTime(exp) : jwt).sign(pair.privateKey);
  };
  const ofAnother = await createActorSigner(keyPair().privatePem, at(nowMs))(actor, [SUBJECT]);
  await expect(verify(ofAnother, SUBJECT)).rejects.toThrow('forbidden');
  await expect(verify(await sign('JWT', issuedAtS + 60), SUBJECT)).rejects.toThrow('forbidden');
  await expect(verify(await sign('tollgate-actor+jwt'), SUBJECT)).rejects.toThrow('forbidden');
  await expect(verify('', SUBJECT)).rejects.toThrow('forbidden');
  expect(await verify(await sign('tollgate-actor+jwt', issuedAtS + 60), SUBJECT)).toEqual(actor);
});

it('actor tokens are valid only for the RPCs that they name', async () => {
  const token = await createActorSigner(pair.privatePem, at(nowMs))(actor, [SUBJECT, 'rpc.test.list']);
  const verify = createActorVerifier([pair.publicPem], at(nowMs));
  expect(await verify(token, SUBJECT)).toEqual(actor);
  expect(await verify(token, 'rpc.test.list')).toEqual(actor);
  await expect(verify(token, 'rpc.test.delete')).rejects.toThrow('forbidden');
});

it('actor tokens that name no RPC are valid nowhere', async () => {
  const token = await createActorSigner(pair.privatePem, at(nowMs))(actor, []);
  const verify = createActorVerifier([pair.publicPem], at(nowMs));
  await expect(verify(token, SUBJECT)).rejects.toThrow('forbidden');
  const issuedAtS = nowMs / 1000;
  const withoutAudience = await new SignJWT({ actor })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'tollgate-actor+jwt' })
    .setIssuedAt(issuedAtS)
    .setExpirationTime(issuedAtS + 50)
    .sign(pair.privateKey);
  await expect(verify(withoutAudience, SUBJECT)).rejects.toThrow('forbidden');
});
