import { sendsMail } from '#lib/server/installation.ts';
import { orNull } from '#lib/server/or-null.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  await parent();
  return { isMailOff: (await orNull(sendsMail(locals.admin))) === false };
};
