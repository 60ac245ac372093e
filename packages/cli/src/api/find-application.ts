import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { UsageError } from '../command.ts';
import { visible } from '../visible.ts';

const SHOWN = 10;

/** The application with this id; without one, the only active application of the team. @throws UsageError for several */
export async function findApplicationId(api: AdminClient, id: string | undefined): Promise<string> {
  if (id !== undefined) return id;
  const { data } = await api.call(ADMIN_ROUTES.listApplications, { status: 'active', limit: SHOWN });
  const [only, ...others] = data;
  if (!only) throw new UsageError('The team has no application. Create one in the dashboard.');
  if (others.length === 0) return only.id;
  const list = data.map(({ id, name }) => `  ${id}  ${visible(name)}`).join('\n');
  throw new UsageError(`The team has several applications. Pass one with --application:\n${list}`);
}
