import { describe, expect, it } from 'vitest';
import { AdminProblem } from './admin-problem.ts';
import { pagePart } from './page-part.ts';

const dead = new AdminProblem({
  status: 503,
  code: 'unavailable',
  detail: 'No response.',
  requestId: 'req_1',
});
const missing = new AdminProblem({ status: 404, code: 'not-found', detail: 'Nothing.' });

describe('a part of a page', () => {
  it('gives way to words where its service does not respond', async () => {
    expect(await pagePart('payments', Promise.reject(dead))).toEqual({
      ok: false,
      message: 'Payments could not be loaded. No response.',
      requestId: 'req_1',
    });
    expect(await pagePart('payments', Promise.resolve([1]))).toEqual({ ok: true, data: [1] });
  });

  it('does not hide what concerns the page as a whole, nor a fault of ours', async () => {
    await expect(pagePart('payments', Promise.reject(missing))).rejects.toBe(missing);
    await expect(pagePart('payments', Promise.reject(new TypeError('a fault')))).rejects.toThrow(TypeError);
  });
});
