import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { publicKeysOf } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import type { Platform } from './platform.ts';

/** Runs the command that compares usage with payments, as an operator does, for these days (UTC, inclusive). */
export async function reconcileUsage(
  { urls, secrets }: Pick<Platform, 'urls' | 'secrets'>,
  { from, to }: { from: string; to: string },
): Promise<{ code: number; output: string }> {
  const command = join(CHECKOUT_DIR, 'services/usage/src/commands/reconcile.ts');
  const child = spawn(process.execPath, [command, '--from', from, '--to', to], {
    env: {
      ...process.env,
      MONGODB_URL: urls.mongodbUrlOf('usage'),
      NATS_URL: urls.natsUrlOf('usage'),
      SIGNER_PUBLIC_KEYS: publicKeysOf(secrets),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, output: output + errors };
}
