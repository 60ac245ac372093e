import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInProcessServer } from './differential/in-process-server.ts';
import { compareWithReference } from './differential/run.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const CASES = 2500;
const FIXED_SEED = 1;
const newSeed = Date.now() % 2 ** 31;

test.each([FIXED_SEED, newSeed])(
  'random commands have the results that a naive implementation of MongoDB computes (seed %i)',
  (seed) => {
    const server = openInProcessServer(join(temporaryFolder(), 'data.db'));
    const differences: string[] = [];
    compareWithReference({
      server,
      cases: CASES,
      seed,
      onDifference: (describe) => differences.push(describe()),
    });
    server.close();
    expect(differences).toEqual([]);
  },
);
