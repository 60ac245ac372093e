import { type Document, MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { addMembers, initiate, type RunCommand } from './mongodb-replica-set.ts';

/**
 * The replies that MongoDB documents for the commands of a replica set. The embedded server has no replica sets; with containers, the
 * operator's trial runs the real ones.
 */
function replicaSet(hosts: string[] | null): { run: RunCommand; changes: Document[]; hosts(): string[] } {
  let config = hosts && { _id: 'tollgate', version: 1, members: hosts.map((host, _id) => ({ _id, host })) };
  const changes: Document[] = [];
  return {
    changes,
    hosts: () => config?.members.map(({ host }) => host) ?? [],
    async run(command) {
      if ('replSetInitiate' in command) {
        changes.push(command);
        config = { version: 1, ...command['replSetInitiate'] };
        return { ok: 1 };
      }
      if (config === null)
        throw new MongoServerError({ message: 'no replset config has been received', code: 94 });
      if ('replSetReconfig' in command) {
        changes.push(command);
        config = command['replSetReconfig'];
        return { ok: 1 };
      }
      if ('replSetGetConfig' in command) return { config };
      return { members: config?.members.map(({ host }) => ({ name: host, stateStr: 'SECONDARY' })) };
    },
  };
}

it('the replica set is initiated once, with its first member', async () => {
  const set = replicaSet(null);
  const wanted = { name: 'tollgate', members: ['mongo:27017', 'mongo-2:27017'] };
  await initiate(set.run, wanted);
  await initiate(set.run, wanted);
  expect(set.changes).toEqual([
    { replSetInitiate: { _id: 'tollgate', members: [{ _id: 0, host: 'mongo:27017' }] } },
  ]);
});

it('the replica set gets further members one by one, each with the next version', async () => {
  const set = replicaSet(['mongo:27017']);
  await addMembers(set.run, ['mongo:27017', 'mongo-2:27017', 'mongo-3:27017'], 1);
  expect(set.hosts()).toEqual(['mongo:27017', 'mongo-2:27017', 'mongo-3:27017']);
  expect(set.changes.map(({ replSetReconfig }) => replSetReconfig.version)).toEqual([2, 3]);
});

it('the replica set keeps members that are not named', async () => {
  const set = replicaSet(['mongo:27017', 'mongo-2:27017']);
  await addMembers(set.run, ['mongo:27017'], 1);
  expect(set.changes).toEqual([]);
});

it('the replica set fails if the server is unreachable', async () => {
  const unreachable: RunCommand = () => Promise.reject(new Error('connect ECONNREFUSED'));
  await expect(initiate(unreachable, { name: 'tollgate', members: [] })).rejects.toThrow('ECONNREFUSED');
});
