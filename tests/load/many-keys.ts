import { type ApiKey, newApiKey } from '@tollgate/applications/keys/api-key';
import { keyEntry } from '@tollgate/applications/principals/principal-entry';
import { connectBus } from '@tollgate/bus/connection';
import { openBucket } from '@tollgate/bus/kv';
import { keyEntryKey, PRINCIPALS_BUCKET } from '@tollgate/contracts/applications/principal';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { createLogger } from '@tollgate/runtime/logger';
import { digestApiKey, generateApiKey } from '@tollgate/security/api-key';
import { parseKeyring } from '@tollgate/security/keyring';
import { createSigner } from '@tollgate/security/signature';
import { parseSigningKeys } from '@tollgate/security/signing-keys';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { eventually } from '@tollgate/test-kit/eventually';
import { apiClient } from '../support/api-client.ts';
import type { Platform, TestApplication } from '../support/platform/platform.ts';

const WRITTEN_AT_ONCE = 500;
const KNOWN_TIMEOUT_MS = 60_000;

/**
 * Adds sandbox keys to an application as the applications service stores and signs them, but in bulk: by its RPC, they
 * would take minutes. Waits until the gateway knows them.
 */
export async function addKeys(
  platform: Platform,
  application: TestApplication,
  count: number,
): Promise<void> {
  const peppers = parseKeyring(platform.secrets.API_KEY_PEPPERS);
  const signer = createSigner(parseSigningKeys('applications', platform.signing.applications));
  const connection = await connectMongoDB({
    url: platform.infra.mongodbUrl,
    database: DATABASES.applications,
    appName: 'tests',
    logger: createLogger({ service: 'tests', level: 'silent' }),
  });
  const bus = await connectBus({ url: platform.infra.natsUrl, name: 'tests' });
  try {
    const bucket = await openBucket(bus, PRINCIPALS_BUCKET, { create: false });
    const documents = connection.collection<ApiKey>('api_keys');
    let newest = '';
    for (let added = 0; added < count; added += WRITTEN_AT_ONCE) {
      const keys = Array.from({ length: Math.min(WRITTEN_AT_ONCE, count - added) }, () =>
        newKey(application, peppers.current),
      );
      await documents.insertMany(keys.map(({ key }) => key));
      await Promise.all(
        keys.map(({ key }) => {
          const entryKey = keyEntryKey(key.lookup_id);
          return bucket.create(entryKey, signer.sign('principal', keyEntry(key, peppers), entryKey));
        }),
      );
      newest = keys.at(-1)?.credential ?? '';
    }
    // The bucket is read in the order in which it was written.
    const isKnown = async () => (await apiClient(platform.baseUrl.sandbox, newest).read('x')).status === 404;
    await eventually('the gateway knows all keys', isKnown, { timeoutMs: KNOWN_TIMEOUT_MS });
  } finally {
    await bus.close();
    await connection.close();
  }
}

function newKey({ id, teamId }: TestApplication, pepper: { version: string; key: Buffer }) {
  const { credential, lookupId } = generateApiKey('sandbox');
  const fields = {
    team_id: teamId,
    application_id: id,
    environment: 'sandbox' as const,
    name: 'Benchmark',
    scopes: null,
    allowed_cidrs: [],
    expires_at: null,
    lookup_id: lookupId,
    digest: digestApiKey(credential, pepper.key).toString('hex'),
    pepper_version: pepper.version,
  };
  return { credential, key: newApiKey(fields, new Date()) };
}
