import { isActionFailure, redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { expect, it } from 'vitest';
import { type FormFailure, failForm, readForm, submitForm } from './form.ts';

function formOf(...fields: [string, string][]) {
  return readForm(new Request('http://localhost', { method: 'POST', body: new URLSearchParams(fields) }));
}

async function rejection(
  fields: [string, string][],
  problem: Partial<ConstructorParameters<typeof AdminProblem>[0]>,
  fieldOf?: Record<string, string>,
): Promise<FormFailure & { status: number }> {
  const form = await formOf(...fields);
  const reject = async () => {
    throw new AdminProblem({
      status: 400,
      code: 'invalid-request',
      detail: 'The body is not valid.',
      ...problem,
    });
  };
  const result = (await submitForm(form, reject, fieldOf)) as unknown;
  if (!isActionFailure(result)) return expect.unreachable();
  return { status: result.status, ...(result.data as unknown as FormFailure) };
}

const at = (pointer: string, detail: string) => ({ pointer, code: 'invalid', detail });

it('a rejected form keeps the typed values, and shows each field its own message', async () => {
  const failure = await rejection(
    [
      ['name', ' Shop '],
      ['limits.live.burst', '0'],
    ],
    {
      errors: [at('/name', 'Too long.'), at('/limits/live/burst', 'Too small.')],
    },
  );
  expect(failure).toMatchObject({
    status: 400,
    values: { name: ' Shop ', 'limits.live.burst': '0' },
    errors: { name: 'Too long.', 'limits.live.burst': 'Too small.' },
  });
});

it('a rejected form never returns a secret', async () => {
  const secrets = ['password', 'current_password', 'new_password', 'token', 'totp', 'code', 'recovery_code'];
  const failure = await rejection(
    [['email', 'a@b.c'], ...secrets.map((name) => [name, 'hunter2'] as [string, string])],
    {},
  );
  expect(failure.values).toEqual({ email: 'a@b.c' });
  expect(JSON.stringify(failure)).not.toContain('hunter2');
});

it('a rejected form loses its idempotency key only when nothing was created', async () => {
  const fields: [string, string][] = [['idempotency_key', 'k-1']];
  expect((await rejection(fields, {})).values).toEqual({});
  expect((await rejection(fields, { status: 503 })).values).toEqual({ idempotency_key: 'k-1' });
});

it('a rejected form returns all values of repeated fields, with the error of one of them', async () => {
  const failure = await rejection(
    [
      ['scopes', 'payment:read'],
      ['scopes', 'payment:x'],
    ],
    {
      errors: [at('/scopes/1', 'Unknown scope.')],
    },
  );
  expect(failure.lists['scopes']).toEqual(['payment:read', 'payment:x']);
  expect(failure.errors).toEqual({ scopes: 'Unknown scope.' });
});

it('a rejected form maps errors to fields whose names differ from the request', async () => {
  const failure = await rejection(
    [['failure_code', 'X']],
    { errors: [at('/outcome/failure/code', 'Lower case.')] },
    {
      '/outcome/failure/code': 'failure_code',
    },
  );
  expect(failure.errors).toEqual({ failure_code: 'Lower case.' });
});

it('a rejected form shows a problem that is about one field beside that field, if the form has it', async () => {
  const wrong = { status: 404, code: 'not-found', detail: 'This code has expired.' } as const;
  const failure = await rejection([['user_code', 'ABCD']], wrong, { 'not-found': 'user_code' });
  expect(failure).toMatchObject({ errors: { user_code: 'This code has expired.' }, code: null });
  const other = await rejection([['name', 'x']], wrong, { 'not-found': 'user_code' });
  expect(other).toMatchObject({ errors: {}, message: 'This code has expired.' });
});

it('a rejected form shows errors without a field in its message, so that none is lost', async () => {
  const failure = await rejection([['name', 'x']], { errors: [at('/team_id', 'This field is required.')] });
  expect(failure.errors).toEqual({});
  expect(failure.message).toContain('This field is required.');
});

it('a rejected form says how long to wait after too many attempts', async () => {
  const throttled = { status: 429, code: 'too-many-attempts', detail: '' } as const;
  expect((await rejection([], { ...throttled, retryAfterS: 12 })).message).toContain('in 12 seconds');
  expect((await rejection([], { ...throttled, retryAfterS: 1 })).message).toContain('in 1 second.');
  expect((await rejection([], { ...throttled, retryAfterS: 61 })).message).toContain('in 2 minutes');
});

it('a rejected form says that the resource has changed meanwhile', async () => {
  const failure = await rejection([['name', 'x']], { status: 412, code: 'precondition-failed' });
  expect(failure).toMatchObject({ status: 412, values: { name: 'x' } });
  expect(failure.message).toMatch(/was changed after/);
});

it('a rejected form shows the request id for server errors, and not for errors of the member', async () => {
  const dead = {
    status: 503,
    code: 'unavailable',
    detail: 'It does not respond.',
    requestId: 'req_1',
  } as const;
  expect(await rejection([], dead)).toMatchObject({ message: 'It does not respond.', requestId: 'req_1' });
  const wrong = { status: 401, code: 'sign-in-failed', detail: 'Not right.', requestId: 'req_1' } as const;
  expect(await rejection([], wrong)).toMatchObject({ message: 'Not right.', requestId: null });
});

it('an accepted form returns the result of its calls', async () => {
  expect(await submitForm(await formOf(), async () => ({ secret: 's' }))).toEqual({ secret: 's' });
});

it('an accepted form rethrows redirects, missing resources and bugs', async () => {
  const form = await formOf();
  const missing = new AdminProblem({ status: 404, code: 'not-found', detail: 'Nothing.' });
  await expect(submitForm(form, async () => redirect(303, '/x'))).rejects.toMatchObject({ location: '/x' });
  await expect(submitForm(form, () => Promise.reject(missing))).rejects.toBe(missing);
  await expect(submitForm(form, () => Promise.reject(new TypeError('a fault')))).rejects.toThrow(TypeError);
});

it('the fields of a form are trimmed, except passwords', async () => {
  const form = await formOf(['name', ' Shop '], ['password', ' a b '], ['note', '  ']);
  expect(form.text('name')).toBe('Shop');
  expect(form.secret('password')).toBe(' a b ');
  expect(form.optional('note')).toBeUndefined();
  expect(form.text('absent')).toBe('');
});

it('the fields of a form parse to NaN where an integer is expected and the text is not one', async () => {
  const form = await formOf(['burst', '12'], ['rate', '1.5'], ['blank', '']);
  expect(form.integer('burst')).toBe(12);
  expect(form.integer('rate')).toBeNaN();
  expect(form.integer('blank')).toBeNaN();
});

it('the fields of a form are parsed in linear time when a body has many of them', async () => {
  const many = Array.from({ length: 60_000 }, (): [string, string] => ['a', '']);
  const form = await formOf(['a', 'first'], ...many);
  expect(form.values).toEqual({ a: 'first' });
  expect(form.lists['a']).toHaveLength(60_001);
});

it('the fields of a form can be rejected by the page itself', async () => {
  const failure = failForm(await formOf(['code', '1']), 400, { errors: { code: 'Enter the code.' } });
  expect(failure).toMatchObject({ status: 400, data: { values: {}, errors: { code: 'Enter the code.' } } });
});
