import { error } from '@sveltejs/kit';
import { mayReadTokens } from '#lib/server/access.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({ parent }) => {
  const { me } = await parent();
  if (mayReadTokens(me.role)) return;
  error(
    403,
    'API tokens require the admin role, or the auditor role to read them. Ask an owner or admin of your team.',
  );
};
