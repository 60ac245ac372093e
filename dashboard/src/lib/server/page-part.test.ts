import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { expect, it } from 'vitest';
import { pagePart } from './page-part.ts';

const dead = new AdminProblem({
  status: 503,
  code: 'unavailable',
  detail: 'No response.',
  requestId: 'req_1',
});
const missing = new AdminProblem({ status: 404, code: 'not-found', detail: 'Nothing.' });

it('a part of a page is replaced by a message when its service is unavailable', async () => {
  expect(await pagePart('payments', Promise.reject(dead))).toEqual({
    ok: false,
    message: 'Payments could not be loaded. No response.',
    requestId: 'req_1',
    code: 'unavailable',
  });
  expect(await pagePart('payments', Promise.resolve([1]))).toEqual({ ok: true, data: [1] });
});

it('a part of a page rethrows errors that concern the whole page, and bugs', async () => {
  await expect(pagePart('payments', Promise.reject(missing))).rejects.toBe(missing);
  await expect(pagePart('payments', Promise.reject(new TypeError('a fault')))).rejects.toThrow(TypeError);
});
