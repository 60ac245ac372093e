import { Problem } from '@tollgate/contracts/platform/problem';
import { describe, expect, test } from 'vitest';
import { createTeamQueries } from './team-queries.ts';

/** Queries that run until the test ends them. */
function openQueries() {
  const ends: (() => void)[] = [];
  return {
    started: () => ends.length,
    query: () => new Promise<void>((resolve) => ends.push(resolve)),
    async endAll() {
      // Each one that ends starts the next.
      for (const end of ends) {
        end();
        await new Promise(setImmediate);
      }
    },
  };
}

describe('queries of a team', () => {
  test('run four at a time, and the others in turn', async () => {
    const queries = createTeamQueries();
    const { query, started, endAll } = openQueries();
    const results = Array.from({ length: 10 }, () => queries.run('one', query));
    await new Promise(setImmediate);
    expect(started()).toBe(4);
    await endAll();
    await Promise.all(results);
    expect(started()).toBe(10);
  });

  test('queries of a team do not delay those of another team', async () => {
    const queries = createTeamQueries();
    const { query, endAll } = openQueries();
    const results = Array.from({ length: 10 }, () => queries.run('one', query));
    expect(await queries.run('other', async () => 'found')).toBe('found');
    await endAll();
    await Promise.all(results);
  });

  test('queries of a team are rejected beyond the backlog, with the time to wait', async () => {
    const queries = createTeamQueries();
    const { query, endAll } = openQueries();
    const results = Array.from({ length: 36 }, () => queries.run('one', query));
    await expect(queries.run('one', query)).rejects.toMatchObject({
      details: { code: 'rate-limited', retryAfterS: 1 },
    });
    await endAll();
    await Promise.all(results);
    expect(await queries.run('one', async () => 'found')).toBe('found');
  });

  test('queries of a team that exceed their time are a problem that says what to do', async () => {
    const expired = Object.assign(new Error('operation exceeded time limit'), { code: 50 });
    const failing = () => Promise.reject(expired);
    await expect(createTeamQueries().run('one', failing)).rejects.toMatchObject({
      details: { code: 'query-timeout', detail: expect.stringContaining('Narrow it'), retryAfterS: 1 },
    });
  });

  test('queries of a team pass on every other error', async () => {
    const problem = new Problem('invalid-request', 'Wrong.');
    await expect(createTeamQueries().run('one', () => Promise.reject(problem))).rejects.toBe(problem);
  });
});
