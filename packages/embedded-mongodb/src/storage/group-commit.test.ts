import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/server-under-test.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';

describe('group commit', () => {
  let database: DatabaseSync;
  let reader: DatabaseSync;
  let group: GroupCommit;
  let rollbacks: number;

  beforeEach(() => {
    const folder = temporaryFolder();
    database = new DatabaseSync(join(folder, 'data.db'));
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (n INTEGER)');
    reader = new DatabaseSync(join(folder, 'data.db'));
    rollbacks = 0;
    group = createGroupCommit(database, () => {
      rollbacks += 1;
    });
  });

  afterEach(() => {
    reader.close();
    database.close();
  });

  const insert = (n: number) => group.write(() => database.prepare('INSERT INTO things VALUES (?)').run(n));
  /** Resolves when the open group is committed or rolled back. */
  const settled = () => new Promise<void>((resolve) => group.whenDurable(() => resolve(), 'the test'));
  /** The number of rows that another connection sees, which are only the committed ones. */
  const committed = () => Number(reader.prepare('SELECT count(*) AS n FROM things').get()?.n);

  test('group commit delivers replies in order after the data that they depend on is committed', async () => {
    const answers: string[] = [];
    insert(1);
    group.whenDurable(() => answers.push(`first with ${committed()}`));
    insert(2);
    group.whenDurable(() => answers.push(`second with ${committed()}`));
    expect(answers).toEqual([]);
    expect(committed()).toBe(0);
    await settled();
    expect(answers).toEqual(['first with 2', 'second with 2']);
  });

  test('group commit delivers the reply of a read immediately if nothing is uncommitted', () => {
    let isAnswered = false;
    group.whenDurable(() => {
      isAnswered = true;
    });
    expect(isAnswered).toBe(true);
  });

  test('group commit commits the other writes of a group that has a rejected write', async () => {
    insert(1);
    expect(() =>
      group.write(() => {
        throw mongoError('BadValue', 'no');
      }),
    ).toThrow('no');
    const failures: unknown[] = [];
    group.whenDurable((failure) => failures.push(failure));
    await settled();
    expect(failures).toEqual([undefined]);
    expect(committed()).toBe(1);
  });

  test('group commit rolls back the whole group of a write that fails halfway and fails every reply of the group', async () => {
    const failures: unknown[] = [];
    insert(1);
    group.whenDurable((failure) => failures.push(failure?.message));
    expect(() =>
      group.write(() => {
        throw new Error('disk I/O error');
      }),
    ).toThrow();
    group.whenDurable((failure) => failures.push(failure?.message));
    await settled();
    expect(failures).toEqual(['disk I/O error', 'disk I/O error']);
    expect(rollbacks).toBe(1);
    expect(committed()).toBe(0);
    insert(2);
    await settled();
    expect(committed()).toBe(1);
  });

  test('group commit writes nothing more in a failed group, even if SQLite has ended its transaction', async () => {
    expect(() =>
      group.write(() => {
        database.exec('ROLLBACK');
        throw new Error('database or disk is full');
      }),
    ).toThrow();
    expect(() => insert(1)).toThrow('database or disk is full');
    await settled();
    expect(committed()).toBe(0);
  });

  test('group commit commits once half of the recent writers wait, and immediately for a single writer', async () => {
    const patient = createGroupCommit(database, () => {}, 60_000);
    let answered = 0;
    const write = (writer: number) => {
      patient.write(() => database.prepare('INSERT INTO things VALUES (?)').run(writer));
      patient.whenDurable(() => {
        answered += 1;
      }, writer);
    };
    const turns = async () => {
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    };
    for (let writer = 0; writer < 8; writer++) write(writer);
    await turns();
    expect(answered).toBe(8);

    for (const writer of [0, 1, 2]) write(writer);
    await turns();
    expect(answered).toBe(8);
    write(3);
    await turns();
    expect(answered).toBe(12);

    for (let alone = 0; alone < 4; alone++) {
      write(0);
      patient.flush();
    }
    write(0);
    await turns();
    expect(answered).toBe(17);
  });

  test('group commit fails every reply that waits for a commit that fails', async () => {
    database.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (id INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED); PRAGMA foreign_keys = ON`);
    const failures: unknown[] = [];
    group.write(() => database.exec('INSERT INTO children VALUES (1)'));
    group.whenDurable((failure) => failures.push(failure?.message));
    await settled();
    expect(failures).toEqual([expect.stringContaining('FOREIGN KEY')]);
    expect(rollbacks).toBe(1);
  });
});
