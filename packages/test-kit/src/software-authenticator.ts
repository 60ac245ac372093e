import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { encodeCbor } from './encode-cbor.ts';

/** Flags of authenticator data (WebAuthn §6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** COSE key parameters of ECDSA with P-256 and SHA-256 (RFC 9053). */
const COSE = { keyType: 1, algorithm: 3, curve: -1, x: -2, y: -3, EC2: 2, ES256: -7, P256: 1 };

/** What a browser and an authenticator would say about the ceremony. Tests of attacks change it. */
interface Ceremony {
  origin?: string;
  rpId?: string;
  isUserVerified?: boolean;
  counter?: number;
}

/** A credential as the admin API accepts it. */
interface NewCredential {
  id: string;
  client_data: string;
  attestation_object: string;
  transports: string[];
}

interface Assertion {
  id: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
  user_handle: string | null;
}

export interface SoftwareAuthenticator {
  /** Creates the passkey, like `navigator.credentials.create()`. */
  create(options: object, ceremony?: Ceremony): NewCredential;
  /** Signs a challenge with the passkey, like `navigator.credentials.get()`. */
  sign(options: object, ceremony?: Ceremony): Assertion;
}

/** A browser at this origin with an authenticator for one passkey: real keys and signatures, without a device. */
export function createSoftwareAuthenticator(origin: string): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let userHandle: string | null = null;
  let signatures = 0;

  function clientData(type: string, { challenge }: Options, ceremony: Ceremony): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: ceremony.origin ?? origin }));
  }

  return {
    create(given, ceremony = {}) {
      const options = given as Options;
      userHandle = options.user?.id ?? null;
      const authData = Buffer.concat([
        authenticatorData({
          rpId: ceremony.rpId ?? options.rp?.id ?? '',
          flags: HAS_CREDENTIAL,
          ...ceremony,
        }),
        Buffer.alloc(16),
        uint16(credentialId.length),
        credentialId,
        coseKey(publicKey),
      ]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        id,
        client_data: clientData('webauthn.create', options, ceremony).toString('base64url'),
        attestation_object: encodeCbor(attestation).toString('base64url'),
        transports: ['internal'],
      };
    },

    sign(given, ceremony = {}) {
      const options = given as Options;
      signatures += 1;
      const authData = authenticatorData({
        rpId: options.rpId ?? '',
        flags: 0,
        counter: signatures,
        ...ceremony,
      });
      const data = clientData('webauthn.get', options, ceremony);
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
      return {
        id,
        client_data: data.toString('base64url'),
        authenticator_data: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        user_handle: userHandle,
      };
    },
  };
}

/** The options of a ceremony, as JSON (WebAuthn Level 3 §5.1). */
interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

function authenticatorData({
  rpId,
  flags,
  isUserVerified = true,
  counter = 0,
}: Ceremony & { rpId: string; flags: number }): Buffer {
  const allFlags = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([allFlags]), count]);
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return encodeCbor(
    new Map<number, unknown>([
      [COSE.keyType, COSE.EC2],
      [COSE.algorithm, COSE.ES256],
      [COSE.curve, COSE.P256],
      [COSE.x, Buffer.from(x, 'base64url')],
      [COSE.y, Buffer.from(y, 'base64url')],
    ]),
  );
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
