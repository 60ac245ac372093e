import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInProcessServer } from './differential/in-process-server.ts';
import { compareWithReference } from './differential/run.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const CASES = 1500;
const FIXED_SEED = 1;
const newSeed = Date.now() % 2 ** 31;

test.each([FIXED_SEED, newSeed])(
  'random commands have the results that the reference computes, and no wrong value causes an internal error (seed %i)',
  (seed) => {
    const server = openInProcessServer(join(temporaryFolder(), 'data.db'));
    const differences: string[] = [];
    compareWithReference({
      server,
      cases: CASES,
      seed,
      onDifference: (description) => differences.push(description),
    });
    server.close();
    expect(differences).toEqual([]);
  },
);
