import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  SECRET_SCANNING_HEADERS,
  SECRET_SCANNING_PATH,
} from '@tollgate/contracts/applications/secret-scanning';
import type { SharedPlatform } from './shared-platform.ts';

const SCANNER_KEY_IDENTIFIER = 'scanner-key-1';

/** A scanner's key: the private half signs alerts, and the gateway is configured with the public one. */
export function generateScannerKey(): { privateKey: string; configuration: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = publicKey.export({ type: 'spki', format: 'pem' });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    configuration: JSON.stringify({ public_keys: [{ key_identifier: SCANNER_KEY_IDENTIFIER, key }] }),
  };
}

/** The headers with which GitHub sends a body. */
export function scannerHeaders(
  privateKey: string | KeyObject,
  body: string | Buffer,
  keyIdentifier = SCANNER_KEY_IDENTIFIER,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    [SECRET_SCANNING_HEADERS.keyIdentifier]: keyIdentifier,
    [SECRET_SCANNING_HEADERS.signature]: sign('sha256', Buffer.from(body), privateKey).toString('base64'),
  };
}

/** Reports a credential as GitHub does when it finds one. */
export async function reportLeak(
  { baseUrl, scannerPrivateKey }: Pick<SharedPlatform, 'baseUrl' | 'scannerPrivateKey'>,
  token: string,
  url: string,
): Promise<void> {
  const body = JSON.stringify([{ token, type: 'tollgate_api_key', url, source: 'commit' }]);
  const response = await fetch(`${baseUrl.live}${SECRET_SCANNING_PATH}`, {
    method: 'POST',
    body,
    headers: scannerHeaders(scannerPrivateKey, body),
  });
  if (!response.ok) throw new Error(`The alert was rejected: ${await response.text()}`);
}
