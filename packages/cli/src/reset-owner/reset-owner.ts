import { callRpc } from '@tollgate/bus/rpc';
import { resetOwner as resetOwnerRpc } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import {
  ArgumentError,
  type Command,
  EXIT_OK,
  NegativeResult,
  type Terminal,
  UsageError,
} from '../command.ts';
import { connectAsOperator } from '../connect-as-operator.ts';
import { parseArguments } from '../parse-options.ts';

const DEFAULT_DASHBOARD_URL = 'http://localhost:3000';
const USAGE = `Usage: tollgate reset-owner <email> [options]

Creates a link with which an owner who cannot sign in sets a new password. Only the operator can run it. The audit log
of the team names the operator. The link works once, for 24 hours.

  --team <id>                 the team, if owners of several teams have the email
  --remove-two-factor         the new password also turns off two-factor authentication

NATS_URL is the address of NATS with the user operator. DASHBOARD_URL is the address of the dashboard
(default: ${DEFAULT_DASHBOARD_URL}).

Exit code: 0 created, 1 no such owner or several, 2 failed.`;

export const resetOwner: Command = {
  summary: 'creates a link with which an owner who cannot sign in sets a new password',
  usage: USAGE,
  async run(args, terminal) {
    const request = readArguments(args);
    const bus = await connectAsOperator(terminal);
    try {
      const created = await callRpc(bus, resetOwnerRpc, request);
      print(terminal, created, request.removes_totp);
      return EXIT_OK;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, detail } = error.details;
      throw ['not-found', 'conflict'].includes(code) ? new NegativeResult(detail) : new UsageError(detail);
    } finally {
      await bus.close();
    }
  },
};

function print(
  terminal: Terminal,
  { token, expires_at, team_name, totp_enabled, passkey_count }: Static<typeof resetOwnerRpc.reply>,
  removesTotp: boolean,
): void {
  const dashboard = (terminal.env['DASHBOARD_URL'] || DEFAULT_DASHBOARD_URL).replace(/\/$/, '');
  terminal.print(`Team:          ${team_name}`);
  terminal.print(`Link:          ${dashboard}/reset/${token}`);
  terminal.print(`Works once, until ${expires_at}.`);
  if (!totp_enabled && passkey_count === 0) return;
  terminal.print(
    removesTotp
      ? 'The new password turns off two-factor authentication, and removes passkeys.'
      : 'Signing in also requires the second factor. If the owner has neither a passkey, nor the app, nor a recovery code, repeat with --remove-two-factor.',
  );
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    team: { type: 'string' },
    'remove-two-factor': { type: 'boolean' },
  });
  const [email, ...others] = positionals;
  if (email === undefined || others.length > 0) throw new ArgumentError('Pass one email.');
  return { email, team_id: values.team ?? null, removes_totp: values['remove-two-factor'] ?? false };
}
