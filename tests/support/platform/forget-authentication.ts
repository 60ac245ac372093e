import { RECENT_AUTHENTICATION_MS } from '@tollgate/contracts/accounts/recent-authentication';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';

/** Makes the last authentication of all sessions of a member too old for what needs a recent one. */
export async function forgetAuthentication(
  { mongodbUrl }: { mongodbUrl: string },
  memberId: string,
): Promise<void> {
  const authenticated_at = new Date(Date.now() - 2 * RECENT_AUTHENTICATION_MS);
  await withStoredDocuments(mongodbUrl, DATABASES.accounts, async (documents) => {
    const sessions = (await documents.list('sessions')).filter(({ member_id }) => member_id === memberId);
    for (const { _id } of sessions)
      await documents.update('sessions', String(_id), { $set: { authenticated_at } });
  });
}
