import { createApplication, createKey, setLimits } from '@tollgate/contracts/applications/rpc';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { newId } from '@tollgate/contracts/platform/ids';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import type { Call } from '@tollgate/launcher/first-run/member-session';
import type { Keyring } from '@tollgate/security/keyring';
import { encodePrincipal, signPrincipal } from '@tollgate/security/principal-signature';
import { eventually } from '@tollgate/test-kit/eventually';

/** An application with all scopes and a key for each environment. */
export interface TestApplication {
  id: string;
  teamId: string;
  keys: Record<Environment, string>;
  keyIds: Record<Environment, string>;
}

/** The highest allowed limit: tests send requests as fast as they can, and must not be rate limited. */
const LIMIT = { requests_per_second: 100_000, burst: 200_000 };

/** Creates an application, and waits until the gateway knows both keys. */
export async function createTestApplication(
  call: Call,
  teamId: string,
  baseUrl: Record<Environment, string>,
): Promise<TestApplication> {
  const { id } = await call(createApplication, { name: 'Test', scopes: SCOPE_NAMES });
  await call(setLimits, { application_id: id, limits: { live: LIMIT, sandbox: LIMIT } });
  const made = { id, teamId, keys: {}, keyIds: {} } as TestApplication;
  for (const environment of ENVIRONMENTS) {
    const key = await call(createKey, { application_id: id, name: environment, environment });
    const credential = shownOnce(key.secret);
    made.keys[environment] = credential;
    made.keyIds[environment] = key.id;
    await eventually('the gateway knows the key', () => isAccepted(baseUrl[environment], credential));
  }
  return made;
}

/** Payment "x" does not exist: 404 shows that the key was accepted. */
async function isAccepted(baseUrl: string, credential: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${credential}` };
  const response = await fetch(`${baseUrl}/v1/payments/x`, { headers });
  await response.body?.cancel();
  return response.status === 404;
}

/** Headers with which payments accepts a request of the application that bypasses the gateway, valid for 30 s. */
export function signedHeaders(
  keyring: Keyring,
  application: TestApplication,
  environment: Environment,
  { method, path, body }: { method: string; path: string; body: string },
  sentAtMs = Date.now(),
): Record<string, string> {
  const requestId = newId('request');
  const principal = encodePrincipal({
    team_id: application.teamId,
    application_id: application.id,
    key_id: application.keyIds[environment],
    environment,
    scopes: SCOPE_NAMES,
    client_address: null,
  });
  const request = { method, path, requestId, idempotencyKey: '', body: Buffer.from(body) };
  return {
    [HEADERS.principal]: principal,
    [HEADERS.signature]: signPrincipal(keyring, principal, request, sentAtMs),
    [HEADERS.requestId]: requestId,
  };
}
