import type { NewCredential, PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';

/** What `toJSON()` of a credential returns (WebAuthn Level 3 §5.1). The admin API validates the values. */
interface CredentialJson {
  id: string;
  response: Record<string, unknown>;
}

/** The credential that a browser created. Null when the text is none. */
export function readNewCredential(text: string): NewCredential | null {
  const credential = parse(text);
  if (!credential) return null;
  const { id, response } = credential;
  return {
    id,
    client_data: textOf(response['clientDataJSON']),
    attestation_object: textOf(response['attestationObject']),
    transports: Array.isArray(response['transports']) ? response['transports'].map(String) : [],
  };
}

/** The challenge that a passkey signed. Null when the text is none. */
export function readAssertion(text: string): PasskeyAssertion | null {
  const credential = parse(text);
  if (!credential) return null;
  const { id, response } = credential;
  return {
    id,
    client_data: textOf(response['clientDataJSON']),
    authenticator_data: textOf(response['authenticatorData']),
    signature: textOf(response['signature']),
    user_handle: response['userHandle'] ? textOf(response['userHandle']) : null,
  };
}

function parse(text: string): CredentialJson | null {
  try {
    const { id, response } = JSON.parse(text);
    const isCredential = typeof id === 'string' && typeof response === 'object' && response !== null;
    return isCredential ? { id, response } : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
