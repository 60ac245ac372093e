import type { Integration } from './integration.ts';
import type { MixedPlatform } from './mixed-platform.ts';
import type { PaymentLoad } from './payment-load.ts';
import type { TeamOwner } from './team-owner.ts';

/** A run with its load. */
export interface MixedRun {
  platform: MixedPlatform;
  owner: TeamOwner;
  load: PaymentLoad;
  /** The integration that the load uses. */
  main: Integration;
  loadKeyId: string;
  /** One more per phase, changed in the next phase. */
  further: Integration[];
  /** How often an integration was changed. */
  changes: number;
  /** The start. */
  since: string;
}
