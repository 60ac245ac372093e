import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { mayRead } from '@tollgate/contracts/platform/roles';
import { VERIFICATION_KEY } from '#lib/audit/audit-key.ts';
import { offeredPeriod } from '#lib/server/audit/export-period.ts';
import { formAction, leaveForm } from '#lib/server/form-action.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { startOver } from '#lib/server/start-over.ts';
import type { Actions, PageServerLoad } from './$types';

const PAGE_SIZE = 12;

export const load: PageServerLoad = async ({ locals, parent, url, depends }) => {
  depends(VERIFICATION_KEY);
  const { admin } = locals;
  const cursor = url.searchParams.get('cursor') ?? undefined;
  const [log, { me }] = await Promise.all([
    pagePart(
      'audit',
      Promise.all([
        admin.call(auditRoutes.latestVerification, {}),
        admin.call(auditRoutes.listHeads, { limit: PAGE_SIZE, cursor }).catch(startOver(url.pathname)),
        admin.call(auditRoutes.listPublicKeys, {}),
      ]).then(([{ verification }, heads, keys]) => ({
        verification,
        heads,
        publicKeys: keys.data.toSorted((one, other) => other.version - one.version),
      })),
    ),
    parent(),
  ]);
  const now = Date.now();
  return {
    log,
    isFirstPage: cursor === undefined,
    mayExport: mayRead(me.role, 'admin'),
    period: offeredPeriod(now, locals.timeZone),
    now,
  };
};

export const actions = {
  verify: formAction(auditRoutes.startVerification, () => ({}), leaveForm),
} satisfies Actions;
