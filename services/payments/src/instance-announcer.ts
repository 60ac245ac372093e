import { randomUUID } from 'node:crypto';
import { publishText } from '@tollgate/bus/announce';
import type { Bus } from '@tollgate/bus/connection';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/streams';
import type { Clock } from '@tollgate/runtime/clock';
import { type Announcement, signAnnouncement } from '@tollgate/security/announcement';
import type { Keyring } from '@tollgate/security/keyring';

export interface InstanceAnnouncer {
  /** Tells gateways that this instance takes requests; to be repeated each second. */
  announce(): void;
  /** Tells gateways to send nothing new here. */
  sayGoodbye(): Promise<void>;
}

/** How gateways find the instances of payments and balance over those alive. */
export function createInstanceAnnouncer(deps: {
  bus: Bus;
  keyring: Keyring;
  clock: Clock;
  url: string;
}): InstanceAnnouncer {
  const { bus, keyring, clock, url } = deps;
  const instanceId = randomUUID();
  const send = (state: Announcement['state']) => {
    const announcement = {
      instance_id: instanceId,
      url,
      state,
      sent_at: new Date(clock.now()).toISOString(),
    };
    publishText(bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, signAnnouncement(keyring, announcement));
  };
  return {
    announce: () => send('serving'),
    async sayGoodbye() {
      send('draining');
      // The listener closes next: the goodbye must have left before.
      if (bus.isConnected()) await bus.nats.flush();
    },
  };
}
