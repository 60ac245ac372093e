import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import { findApplicationId } from '../api/find-application.ts';
import type { Login } from '../api/require-login.ts';
import { type Terminal, UsageError } from '../command.ts';

/**
 * The sandbox key of this program, so that a developer can create payments right after signing in. Created when it is
 * needed first, and stored with the login.
 */
export async function sandboxKey(
  { credentials, api, store }: Login,
  application: string | undefined,
  { printError }: Terminal,
): Promise<string> {
  if (!store) throw new UsageError('Set TOLLGATE_API_KEY to a key of the sandbox.');
  const applicationId = await findApplicationId(api, application);
  const stored = credentials.api_keys[applicationId];
  if (stored !== undefined) return stored;
  const name = `tollgate on ${hostname()}`.slice(0, APPLICATION_LIMITS.keyName);
  const { id, secret } = await api.call(
    ADMIN_ROUTES.createKey,
    { application_id: applicationId, name, environment: 'sandbox' },
    { idempotencyKey: randomUUID() },
  );
  if (secret === null)
    throw new Error('The gateway created a key, but its response lacks the secret. Run the command again.');
  await store({ ...credentials, api_keys: { ...credentials.api_keys, [applicationId]: secret } });
  printError(`Created the sandbox key ${id} ("${name}") for this program.`);
  return secret;
}

/** Forgets a key that is not valid any more, such as a revoked one. The next call creates another one. */
export async function forgetSandboxKey({ credentials, store }: Login, key: string): Promise<void> {
  const kept = Object.entries(credentials.api_keys).filter(([, stored]) => stored !== key);
  await store?.({ ...credentials, api_keys: Object.fromEntries(kept) });
}
