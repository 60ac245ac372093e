import type { Check } from '../check.ts';
import { expectStatus } from '../suite.ts';

export const HEALTH_CHECKS: Check[] = [
  {
    name: 'health is reported',
    rule: 'health-is-reported',
    run: async ({ caller }) => expectStatus(await caller.health(), 200),
  },
];
