import { MongoClient, MongoServerError } from 'mongodb';

/** A MongoDB user with rights on one database. */
export interface DatabaseUser {
  user: string;
  password: string;
  database: string;
}

/** MongoDB's code for a user that exists. */
const USER_EXISTS = 51003;

/**
 * Creates the users in the database `admin`, and sets password and rights of those that exist, so that it can be
 * repeated. The embedded MongoDB gets its users at start instead.
 * @param url with a user that may create others
 */
export async function createMongoDBUsers(url: string, users: readonly DatabaseUser[]): Promise<void> {
  const client = new MongoClient(url);
  try {
    const admin = client.db('admin');
    for (const { user, password, database } of users) {
      const rights = { pwd: password, roles: [{ role: 'readWrite', db: database }] };
      try {
        await admin.command({ createUser: user, ...rights });
      } catch (error) {
        if (!(error instanceof MongoServerError) || error.code !== USER_EXISTS) throw error;
        await admin.command({ updateUser: user, ...rights });
      }
    }
  } finally {
    await client.close();
  }
}
