import { randomUUID } from 'node:crypto';
import { publishText } from '@tollgate/bus/announce';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import { type Announcement, signAnnouncement } from '@tollgate/security/announcement';
import type { Context } from '../context.ts';

/** Announces this instance, so that gateways can find the running instances and balance requests over them. */
export function createInstanceAnnouncer({ bus, internalSigningKeys, clock }: Context, url: string) {
  const instanceId = randomUUID();
  const send = (state: Announcement['state']) => {
    const announcement = {
      instance_id: instanceId,
      url,
      state,
      sent_at: new Date(clock.now()).toISOString(),
    };
    publishText(bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, signAnnouncement(internalSigningKeys, announcement));
  };
  return {
    /** Announces to gateways that this instance accepts requests. Must be repeated every second. */
    announce: () => send('serving'),
    /** Asks gateways to send no new requests to this instance. */
    async announceDraining(): Promise<void> {
      send('draining');
      // The listener closes next, so the goodbye must be sent first.
      if (bus.isConnected()) await bus.nats.flush();
    },
  };
}
