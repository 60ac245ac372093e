import { createPublicKey } from 'node:crypto';
import { ISSUERS, type Issuer } from '@tollgate/contracts/platform/signature';
import { parsePemKeys } from '@tollgate/security/key-variables';
import { signerPublicKeys } from '@tollgate/security/signing-keys';
import { oneLinePem } from '../containers/one-line-pem.ts';
import { LauncherFailure } from '../launcher-failure.ts';
import { readVariable, writeVariable } from './env-text.ts';
import { generateActorKey, generateSigningKey, generateSymmetricKey } from './generate-key.ts';
import { KEY_RINGS, type KeyReader, type KeyRing } from './key-rings.ts';

/**
 * The steps of a rotation, in order. After each of them, every process that `readersOf` names must be restarted before the next:
 * - `add` appends a new key, which verifies and does not sign yet.
 * - `promote` moves the last key to the front: it signs from then on.
 * - `remove` drops the last key.
 */
export const ROTATION_STEPS = ['add', 'promote', 'remove'] as const;
export type RotationStep = (typeof ROTATION_STEPS)[number];

/**
 * Returns the env file after one step.
 * @throws LauncherFailure if the step does not apply to the ring; never shows a key
 */
export function rotateRing(env: string, variable: string, step: RotationStep): string {
  const ring = findRing(variable);
  const keys = readVariable(env, variable).split(',');
  if (step !== 'add' && keys.length < 2) {
    throw new LauncherFailure(`${variable} has one key. Add another one first.`);
  }
  if (step === 'promote') return writeVariable(env, variable, promoted(keys).join(','));
  const next = step === 'add' ? [...keys, newKey(ring, keys)] : keys.slice(0, -1);
  return writePublicHalves(writeVariable(env, variable, next.join(',')), variable, keys, next);
}

/** The processes to restart after a step. */
export function readersOf(variable: string, step: RotationStep): readonly KeyReader[] {
  const { readBy, published } = findRing(variable);
  if (step === 'promote' || !published) return readBy;
  return [...new Set([...published.readBy, ...readBy])];
}

function findRing(variable: string): KeyRing {
  const ring = KEY_RINGS[variable];
  if (ring) return ring;
  throw new LauncherFailure(
    `${variable} is not a ring of keys. These are: ${Object.keys(KEY_RINGS).join(', ')}.`,
  );
}

function promoted(keys: string[]): string[] {
  return [...keys.slice(-1), ...keys.slice(0, -1)];
}

function newKey({ kind }: KeyRing, keys: string[]): string {
  if (kind === 'actor') return oneLinePem(generateActorKey().privateKey);
  const version = nextVersion(keys);
  return kind === 'symmetric' ? generateSymmetricKey(version) : generateSigningKey(version);
}

function nextVersion(keys: string[]): string {
  const numbers = keys.map((key) => Number(key.split(':')[0])).filter(Number.isInteger);
  return String(Math.max(0, ...numbers) + 1);
}

/** Adds and removes the public halves of the keys that were added and removed. Other entries stay as they are. */
function writePublicHalves(env: string, variable: string, before: string[], after: string[]): string {
  const { published } = findRing(variable);
  if (!published) return env;
  const publicHalf = publicHalfOf(variable);
  const removed = new Set(before.filter((key) => !after.includes(key)).map(publicHalf));
  const added = after.filter((key) => !before.includes(key)).map(publicHalf);
  const listed = readVariable(env, published.variable).split(',');
  if (!removed.isSubsetOf(new Set(listed))) {
    throw new LauncherFailure(`${published.variable} lacks the public half of the last key of ${variable}.`);
  }
  const kept = listed.filter((key) => !removed.has(key));
  return writeVariable(env, published.variable, [...kept, ...added].join(','));
}

function publicHalfOf(variable: string): (key: string) => string {
  if (findRing(variable).kind === 'actor') return actorPublicKey;
  const issuer = ISSUERS.find((name) => `${name.toUpperCase()}_SIGNING_KEYS` === variable) as Issuer;
  return (key) => signerPublicKeys(issuer, key);
}

function actorPublicKey(encoded: string): string {
  const [pem = ''] = parsePemKeys(encoded);
  return oneLinePem(createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString());
}
