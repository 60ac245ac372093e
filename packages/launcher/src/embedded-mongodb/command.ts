import { join } from 'node:path';

export interface EmbeddedMongoDBSettings {
  port: number;
  /** The SQLite file. */
  path: string;
  user: string;
  password: string;
}

/**
 * How to run the embedded MongoDB as a process of its own. The password travels in the environment: arguments are visible
 * to every user of the machine.
 */
export function embeddedMongoDBCommand(settings: EmbeddedMongoDBSettings): {
  command: string;
  args: string[];
  env: Record<string, string>;
  url: string;
} {
  const { port, path, user, password } = settings;
  return {
    command: process.execPath,
    args: [join(import.meta.dirname, 'main.ts')],
    env: {
      EMBEDDED_MONGODB_PORT: String(port),
      EMBEDDED_MONGODB_PATH: path,
      EMBEDDED_MONGODB_USER: user,
      EMBEDDED_MONGODB_PASSWORD: password,
    },
    url: `mongodb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/`,
  };
}
