import { isActionFailure, type RequestEvent } from '@sveltejs/kit';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { expect, it } from 'vitest';
import { formAction } from './form-action.ts';

const rename = formAction(
  ADMIN_ROUTES.renameApplication,
  (form) => ({ application_id: 'app_1', name: form.required('name', 'Enter a name.') }),
  'Application renamed.',
);

/** An event whose admin client records the calls. */
function eventOf(fields: Record<string, string>) {
  const calls: unknown[][] = [];
  const admin = {
    call: async (...call: unknown[]) => {
      calls.push(call);
      return {};
    },
  } as unknown as AdminClient;
  const request = new Request('http://localhost', { method: 'POST', body: new URLSearchParams(fields) });
  return { calls, event: { request, locals: { admin } } as unknown as RequestEvent };
}

it('a form action sends the fields with the version of the form, and says which form was accepted', async () => {
  const { calls, event } = eventOf({ form: 'rename', name: ' Shop ', version: '3' });
  expect(await rename(event)).toEqual({ form: 'rename', done: 'Application renamed.' });
  expect(calls).toEqual([
    [
      ADMIN_ROUTES.renameApplication,
      { application_id: 'app_1', name: 'Shop' },
      { idempotencyKey: undefined, ifMatch: 3 },
    ],
  ]);
});

it('a form action calls nothing while a field must be corrected', async () => {
  const { calls, event } = eventOf({ form: 'rename', name: ' ', version: '3' });
  const result = await rename(event);
  if (!isActionFailure(result)) return expect.unreachable();
  expect(result).toMatchObject({ status: 400, data: { errors: { name: 'Enter a name.' } } });
  expect(calls).toEqual([]);
});
