import type { Document } from '../../src/bson/document.ts';
import { ReferenceCollection } from '../reference/collection.ts';
import type { Expected } from '../reference/expected.ts';
import { Undetermined } from '../reference/rejected.ts';
import { runCommand } from '../reference/run-command.ts';
import { COLLECTION } from './commands.ts';
import type { InProcessServer, Reply } from './in-process-server.ts';
import { isAsExpected } from './verdict.ts';

export interface Outcome {
  expected: Expected;
  reply: Reply;
  /** The documents after the command, if it writes. */
  documents: Document[] | undefined;
  isRight: boolean;
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
export const kindOf = (command: Document): string => command.keys().next().value ?? '';

/** The same collection in the server and in the reference. */
export class Trial {
  readonly server: InProcessServer;
  readonly reference = new ReferenceCollection();
  readonly indexes: Document[] = [];

  constructor(server: InProcessServer) {
    this.server = server;
    server.run(new Map([['drop', COLLECTION]]));
    server.run(new Map([['create', COLLECTION]]));
  }

  /** Runs the command in both. Returns undefined if MongoDB does not determine the result. */
  run(command: Document): Outcome | undefined {
    const expected = this.expectedOf(command);
    if (expected === undefined) return undefined;
    const reply = this.server.run(command);
    const kind = kindOf(command);
    const documents = WRITES.has(kind) ? this.stored() : undefined;
    if (documents !== undefined) this.reference.documents = documents;
    const isRight = isAsExpected(expected, reply, documents);
    if (kind === 'createIndexes' && isRight && reply.kind === 'fields') this.addIndex(command);
    return { expected, reply, documents, isRight };
  }

  private addIndex(command: Document): void {
    const [index] = command.get('indexes') as [Document];
    this.reference.addIndex(index);
    this.indexes.push(index);
  }

  private expectedOf(command: Document): Expected | undefined {
    try {
      return runCommand(this.reference, command);
    } catch (error) {
      if (error instanceof Undetermined) return undefined;
      throw error;
    }
  }

  private stored(): Document[] {
    const reply = this.server.run(new Map([['find', COLLECTION]]));
    if (reply.kind !== 'documents') throw new Error('the documents cannot be read back');
    return reply.documents;
  }
}
