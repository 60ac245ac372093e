import { connectBus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { newId } from '@tollgate/contracts/platform/ids';
import { USAGE_WINDOWS_SUBJECT } from '@tollgate/contracts/platform/streams';
import { type UsageWindow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { createSigner } from '@tollgate/security/signature';
import { parseSigningKeys } from '@tollgate/security/signing-keys';
import type { SharedPlatform } from '../platform/shared-platform.ts';
import type { TestApplication } from '../platform/test-application.ts';

/**
 * Publishes to the usage service what a gateway would have published for a past hour: successful reads in the sandbox.
 */
export async function publishEarlierReads(
  { natsUrl, signing }: SharedPlatform,
  application: TestApplication,
  { atMs, requests }: { atMs: number; requests: number },
): Promise<void> {
  const window: UsageWindow = {
    gateway_id: newId('gatewayInstance'),
    number: 1,
    at: new Date(atMs).toISOString(),
    rows: [
      {
        team_id: application.teamId,
        application_id: application.id,
        key_id: application.keyIds.sandbox,
        environment: 'sandbox',
        operation: 'read_payment',
        outcome: 'succeeded',
        requests,
        latency: [[100, requests]],
      },
    ],
    open_questions: [],
    log: { callers: [], lines: [] },
  };
  const bus = await connectBus({ url: natsUrl, name: 'tests' });
  try {
    const signed = createSigner(parseSigningKeys('gateway', signing.gateway)).sign('usage_window', window);
    await createPublisher(bus).publish(USAGE_WINDOWS_SUBJECT, signed, { messageId: usageWindowId(window) });
  } finally {
    await bus.close();
  }
}
