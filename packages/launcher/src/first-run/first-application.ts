import {
  createApplication,
  createKey,
  listApplications,
  listKeys,
  revokeKey,
} from '@tollgate/contracts/applications/rpc';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { parseApiKey } from '@tollgate/security/api-key';
import type { FirstRunRecord } from './first-run-record.ts';
import type { Call } from './member-session.ts';

const APPLICATION_NAME = 'First application';
const KEY_NAMES: Record<Environment, string> = { live: 'First live key', sandbox: 'First sandbox key' };

export interface FirstApplication {
  id: string;
  apiKeys: Record<Environment, string>;
}

/** Returns what an earlier start created, even if it was changed since; null if no start got that far. */
export function recordedApplication(record: FirstRunRecord): FirstApplication | null {
  const { application_id: id, live_api_key: live, sandbox_api_key: sandbox } = record.read();
  if (id === undefined || live === undefined || sandbox === undefined) return null;
  return { id, apiKeys: { live, sandbox } };
}

/**
 * Creates the first application and one key per environment. Each step is recorded before the next and first looks for
 * the result of an interrupted run, so that the outcome is always one application and two keys.
 */
export async function ensureFirstApplication(call: Call, record: FirstRunRecord): Promise<FirstApplication> {
  const id = record.read().application_id ?? (await findOrCreateApplication(call));
  await record.add({ application_id: id });
  const apiKeys: Partial<Record<Environment, string>> = {};
  for (const environment of ENVIRONMENTS) {
    const credential = await ensureKey(call, id, environment, record.read()[`${environment}_api_key`]);
    await record.add({ [`${environment}_api_key`]: credential });
    apiKeys[environment] = credential;
  }
  return { id, apiKeys: apiKeys as Record<Environment, string> };
}

/** Returns the application that an interrupted run created but did not record, or a new one. */
async function findOrCreateApplication(call: Call): Promise<string> {
  const { data } = await call(listApplications, {});
  const existing = data.find(({ name }) => name === APPLICATION_NAME);
  if (existing !== undefined) return existing.id;
  return (await call(createApplication, { name: APPLICATION_NAME, scopes: SCOPE_NAMES })).id;
}

/** @returns the credential */
async function ensureKey(
  call: Call,
  applicationId: string,
  environment: Environment,
  recorded: string | undefined,
): Promise<string> {
  const { data } = await call(listKeys, { application_id: applicationId, limit: 100 });
  const recordedLookupId = recorded === undefined ? undefined : parseApiKey(recorded)?.lookupId;
  if (recorded !== undefined && data.some(({ lookup_id }) => lookup_id === recordedLookupId)) return recorded;

  // Created by a run that ended before it recorded the credential, so the key is unusable.
  const lost = data.filter(({ name, status }) => name === KEY_NAMES[environment] && status === 'active');
  for (const { id } of lost) {
    await call(revokeKey, { key_id: id, reason: 'Its secret was lost in an interrupted first start' });
  }
  const request = { application_id: applicationId, environment, name: KEY_NAMES[environment] };
  return shownOnce((await call(createKey, request)).secret);
}
