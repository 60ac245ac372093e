import type { Command } from './command.ts';
import { ok } from './replies.ts';

export const ping: Command = { name: 'ping', beforeAuthentication: true, run: () => ok() };
