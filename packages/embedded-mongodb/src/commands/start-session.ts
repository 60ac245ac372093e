import { randomUUID } from 'node:crypto';
import { Binary, documentOf, integer } from '../bson/document.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

const SESSION_TIMEOUT_MINUTES = 30;

/** Returns a new session id. The server does not store it: see endSessions. */
export const startSession: Command = {
  name: 'startSession',
  fields: {},
  run() {
    const uuid = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
    return ok({
      id: documentOf({ id: new Binary(uuid, Binary.SUBTYPE_UUID) }),
      timeoutMinutes: integer(SESSION_TIMEOUT_MINUTES),
    });
  },
};
