import { PROCESS_NAMES, type ProcessName } from './process-table.ts';
import { subjectsOf } from './subjects.ts';

export interface SharedUser {
  name: string;
  password: string;
}

export interface NatsUsersOptions {
  /** The password as the configuration contains it: a quoted text, or `$VARIABLE` from the server's environment. */
  password(name: ProcessName): string;
  /** Processes that get a user. All of the table by default. */
  processes?: readonly ProcessName[];
  /** A user without limits, for tests. */
  sharedUser?: SharedUser;
}

/** Generates the `authorization` block of a nats-server's configuration. A client without a user cannot connect. */
export function natsUsers({ password, processes = PROCESS_NAMES, sharedUser }: NatsUsersOptions): string {
  const sharedUsers = sharedUser === undefined ? [] : [sharedUser.name];
  const users = processes.map((name) => {
    const { publish, subscribe } = subjectsOf(name, sharedUsers);
    return `    {
      user: ${name}
      password: ${password(name)}
      permissions {
        publish {
          allow: ${list(publish)}
        }
        subscribe {
          allow: ${list(subscribe)}
        }
      }
    }`;
  });
  if (sharedUser) users.push(`    { user: ${sharedUser.name}, password: ${sharedUser.password} }`);
  return `authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`;
}

/** An empty list would permit everything. */
function list(subjects: string[]): string {
  if (subjects.length === 0) throw new Error('A process without a subject would be permitted all of them.');
  return `[\n${subjects.map((subject) => `            ${JSON.stringify(subject)}`).join('\n')}\n          ]`;
}
