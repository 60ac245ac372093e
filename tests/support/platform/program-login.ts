import { createHash } from 'node:crypto';
import type { ApiToken, ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import type { DeviceCodeState } from '@tollgate/contracts/accounts/device-authorization';
import { approveDeviceAuthorization } from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import type { SharedPlatform } from './shared-platform.ts';
import type { TestMember } from './test-team.ts';

/** Starts a login like a program without a browser. */
export async function startLogin({ admin }: SharedPlatform, client_name = 'tollgate on laptop') {
  const { body } = await admin.as(null).call(ADMIN_ROUTES.createDeviceAuthorization, { client_name });
  return body;
}

/** Polls like the program. */
export async function pollLogin({ admin }: SharedPlatform, device_code: string): Promise<DeviceCodeState> {
  return (await admin.as(null).call(ADMIN_ROUTES.exchangeDeviceCode, { device_code })).body;
}

/** Completes a login that the member approves. */
export async function logIn(
  platform: SharedPlatform,
  member: TestMember,
  { role = 'viewer', name }: { role?: ApiTokenRole; name?: string } = {},
): Promise<{ token: string; api_token: ApiToken }> {
  const { device_code, user_code } = await startLogin(platform, name);
  await member.call(approveDeviceAuthorization, { user_code, role });
  const { token, api_token } = await pollLogin(platform, device_code);
  if (!token || !api_token) throw new Error('The login returned no token.');
  return { token, api_token };
}

/** Lets the codes of a login expire now: the clock of the platform is the real one. */
export async function expireLogin({ mongodbUrl }: SharedPlatform, device_code: string): Promise<void> {
  const id = createHash('sha256').update(device_code).digest('hex');
  await withStoredDocuments(mongodbUrl, DATABASES.accounts, (documents) =>
    documents.upsert('device_authorizations', id, { $set: { expires_at: new Date() } }),
  );
}
