import { archiveApplication } from '@tollgate/contracts/applications/rpc';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import type { SharedPlatform } from './shared-platform.ts';
import type { TestMember } from './test-team.ts';

/** Archives an application as of an hour ago, so that it can be deleted: the clock of the platform is the real one. */
export async function archiveForDeletion(
  { mongodbUrl }: Pick<SharedPlatform, 'mongodbUrl'>,
  member: TestMember,
  application_id: string,
): Promise<void> {
  await member.call(archiveApplication, { application_id });
  const updated_at = new Date(Date.now() - HOUR_MS);
  await withStoredDocuments(mongodbUrl, DATABASES.applications, (documents) =>
    documents.update('applications', application_id, { $set: { updated_at } }),
  );
}
