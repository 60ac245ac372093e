import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { promisify } from 'node:util';
import { ISSUERS } from '@tollgate/contracts/platform/signature';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { parsePemKeys } from '@tollgate/security/key-variables';
import { parseKeyring } from '@tollgate/security/keyring';
import { createSignatureVerifier, createSigner } from '@tollgate/security/signature';
import { parseSignerPublicKeys, parseSigningKeys } from '@tollgate/security/signing-keys';
import { describe, expect, it } from 'vitest';
import { containerVariables } from '../containers/container-variables.ts';
import { generateSecrets } from '../secrets.ts';
import { readVariable } from './env-text.ts';
import { KEY_RINGS, type KeyRing } from './key-rings.ts';
import { ROTATION_STEPS, type RotationStep, rotateRing } from './rotate-ring.ts';

const secrets = generateSecrets();
const env = Object.entries(containerVariables(secrets))
  .map(([name, value]) => `${name}=${value}\n`)
  .join('');

/** The env file before the first step and after each. */
function phasesOf(variable: string): string[] {
  const phases = [env];
  for (const step of ROTATION_STEPS) phases.push(rotateRing(phases.at(-1) as string, variable, step));
  return phases;
}

/** Versions of a ring; positions of the keys for one without versions. */
function versionsOf(text: string, variable: string): string[] {
  return readVariable(text, variable)
    .split(',')
    .map((key) => key.split(':')[0] as string);
}

/** Whether what the first key of one env file signs or encrypts can be verified or decrypted with another env file. */
function isReadable(variable: string, { kind }: KeyRing, writer: string, reader: string): boolean {
  const written = readVariable(writer, variable);
  if (kind === 'symmetric') {
    const { version, key } = parseKeyring(written).current;
    return parseKeyring(readVariable(reader, variable)).get(version)?.equals(key) ?? false;
  }
  if (kind === 'actor') {
    const [signing = ''] = parsePemKeys(written);
    const publicHalf = createPublicKey(signing);
    const known = parsePemKeys(readVariable(reader, 'ACTOR_PUBLIC_KEYS'));
    return known.some((key) => createPublicKey(key).equals(publicHalf));
  }
  const issuer = ISSUERS.find((name) => variable === `${name.toUpperCase()}_SIGNING_KEYS`);
  // The audit service publishes its keys itself.
  if (issuer === undefined) return readVariable(reader, variable).includes(written.split(',')[0] as string);
  const findPublicKey = parseSignerPublicKeys(readVariable(reader, 'SIGNER_PUBLIC_KEYS'));
  const signed = createSigner(parseSigningKeys(issuer, written)).sign('audit_entry', { action: 'x' });
  return createSignatureVerifier(findPublicKey).check('audit_entry', signed).fault === null;
}

describe.each(Object.entries(KEY_RINGS))('a rotation of %s', (variable, ring) => {
  it('a rotation lets processes of each step read what processes of the step before and after it write', () => {
    const phases = phasesOf(variable);
    for (const [index, phase] of phases.entries()) {
      const neighbors = phases.slice(Math.max(0, index - 1), index + 2);
      for (const neighbor of neighbors) expect(isReadable(variable, ring, phase, neighbor)).toBe(true);
    }
  });

  it('a rotation ends with one key, which is new, and changes no other ring', () => {
    const [before = '', , , after = ''] = phasesOf(variable);
    expect(readVariable(after, variable)).not.toContain(',');
    expect(readVariable(after, variable)).not.toBe(readVariable(before, variable));
    for (const other of Object.keys(KEY_RINGS).filter((name) => name !== variable))
      expect(readVariable(after, other)).toBe(readVariable(before, other));
  });
});

describe('the steps', () => {
  it('the steps append a new version, move it to the front, and drop the earlier one', () => {
    const [, added = '', promoted = '', removed = ''] = phasesOf('INTERNAL_SIGNING_KEYS');
    expect(versionsOf(added, 'INTERNAL_SIGNING_KEYS')).toEqual(['1', '2']);
    expect(versionsOf(promoted, 'INTERNAL_SIGNING_KEYS')).toEqual(['2', '1']);
    expect(versionsOf(removed, 'INTERNAL_SIGNING_KEYS')).toEqual(['2']);
  });

  it('the steps keep the public keys of other issuers, and list the new one until its private half is dropped', () => {
    const issuersOf = (text: string) => versionsOf(text, 'SIGNER_PUBLIC_KEYS');
    const [before = '', added = '', , removed = ''] = phasesOf('PAYMENTS_SIGNING_KEYS');
    expect(issuersOf(added)).toEqual([...issuersOf(before), 'payments.2']);
    expect(issuersOf(removed)).toEqual(issuersOf(added).filter((name) => name !== 'payments.1'));
  });

  it('the steps keep everything else of the file, as it is', () => {
    const commented = `# Of the operator\nCUSTOM=a=b\n${env}`;
    const added = rotateRing(commented, 'SESSION_COOKIE_KEYS', 'add');
    expect(added.replace(/^SESSION_COOKIE_KEYS=.*$/m, '')).toBe(
      commented.replace(/^SESSION_COOKIE_KEYS=.*$/m, ''),
    );
  });

  it.each([
    ['promote', 'API_KEY_PEPPERS', env, 'API_KEY_PEPPERS has one key'],
    ['remove', 'API_KEY_PEPPERS', env, 'API_KEY_PEPPERS has one key'],
    ['add', 'NATS_PASSWORD_AUDIT', env, 'is not a ring of keys. These are: INTERNAL_SIGNING_KEYS'],
    ['add', 'API_KEY_PEPPERS', 'A=b\n', 'API_KEY_PEPPERS is not set in the env file'],
    ['remove', 'ACTOR_SIGNING_KEY', withoutNewActorKey(), 'ACTOR_PUBLIC_KEYS lacks the public half'],
  ] as const)('%s of %s that does not apply is rejected', (step, variable, text, message) => {
    expect(() => rotateRing(text, variable, step)).toThrow(message);
  });
});

function withoutNewActorKey(): string {
  return rotateRing(env, 'ACTOR_SIGNING_KEY', 'add').replace(/^(ACTOR_PUBLIC_KEYS=[^,]*),.*$/m, '$1');
}

describe('rotate-keys.ts', () => {
  const rotate = (step: RotationStep | 'rotate', text: string) => {
    const file = `${CHECKOUT_DIR}/packages/launcher/src/containers/rotate-keys.ts`;
    const running = promisify(execFile)(process.execPath, [file, step, 'INTERNAL_SIGNING_KEYS']);
    running.child.stdin?.end(text);
    return running;
  };

  it('rotate-keys.ts prints the changed file, and names the processes to restart', async () => {
    const { stdout, stderr } = await rotate('add', env);
    expect(versionsOf(stdout, 'INTERNAL_SIGNING_KEYS')).toEqual(['1', '2']);
    expect(stderr).toBe('Restart, one instance at a time: payments, gateway\n');
  });

  it.each(['promote', 'rotate'] as const)(
    'rotate-keys.ts prints nothing for a step that it rejects: %s',
    async (step) => {
      await expect(rotate(step, env)).rejects.toMatchObject({ code: 1, stdout: '' });
    },
  );
});
