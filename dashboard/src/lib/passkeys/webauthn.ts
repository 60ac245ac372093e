/**
 * Whether this page can use passkeys. It needs a secure context, and the JSON methods of WebAuthn Level 3, which every current
 * browser has.
 */
export function supportsPasskeys(): boolean {
  return (
    typeof PublicKeyCredential !== 'undefined' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

/** Asks the browser to create a passkey. Returns the credential as JSON. Throws a DOMException. */
export async function createCredential(options: object): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(await navigator.credentials.create({ publicKey }));
}

/** Asks the browser for a passkey that signs the challenge. Returns the assertion as JSON. Throws a DOMException. */
export async function signChallenge(options: object): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return toJson(await navigator.credentials.get({ publicKey }));
}

/** What happened, and what to do, for an error of the functions above. */
export function explainFailure(error: unknown, doing: 'create' | 'sign'): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'InvalidStateError':
      return 'This device already has a passkey for your account. Use another device.';
    case 'SecurityError':
      return 'Passkeys work only at the address of the dashboard that the operator configured. Open that address.';
    case 'NotSupportedError':
      return 'This device cannot create passkeys with a PIN or biometrics. Use another device.';
    default:
      return doing === 'create'
        ? 'No passkey was created: the request was canceled, or it timed out. Try again.'
        : 'No passkey was used: the request was canceled, or it timed out. Try again.';
  }
}

function toJson(credential: Credential | null): string {
  if (credential instanceof PublicKeyCredential) return JSON.stringify(credential.toJSON());
  throw new TypeError('The browser returned no passkey.');
}
