import { type Document, type ObjectId, UUID } from 'bson';
import { opMsg } from './op-msg.ts';
import { FIRST_CREATED_AT, MS_BETWEEN, paymentDocument, STATES } from './payment-documents.ts';

export const OPERATIONS = ['findOne', 'page', 'insert', 'update'] as const;
export type Operation = (typeof OPERATIONS)[number];
export const PAGE_DOCUMENTS = 50;

const DATABASE = 'bench';
const COLLECTION = 'payments';
/** A page starts far enough from the end to be full: one in `STATES.length` documents has the requested state. */
const DOCUMENTS_BEHIND_PAGE = PAGE_DOCUMENTS * STATES.length * 2;

/** Wire messages like those of a driver, built in advance so that sending them takes little CPU time. */
export interface OperationMessages {
  /** One command that inserts the next `count` documents. */
  fill(count: number): Buffer;
  /** One operation on a random document, or the insert of the next document. */
  next(operation: Operation): Buffer;
}

export function createOperationMessages(): OperationMessages {
  const ids: ObjectId[] = [];
  /** The index in STATES of each document's state, which an update must change. */
  const states: number[] = [];
  const lsid = { id: new UUID() };

  function newDocument(): Document {
    const document = paymentDocument(ids.length);
    states.push(ids.length % STATES.length);
    ids.push(document._id);
    return document;
  }

  function insert(documents: Document[]): Buffer {
    return opMsg({ insert: COLLECTION, ordered: true, lsid, $db: DATABASE }, 'documents', documents);
  }

  function findOne(): Buffer {
    const filter = { _id: ids[random(ids.length)] };
    return opMsg({
      find: COLLECTION,
      filter,
      limit: 1,
      batchSize: 1,
      singleBatch: true,
      lsid,
      $db: DATABASE,
    });
  }

  function page(): Buffer {
    const first = new Date(FIRST_CREATED_AT + random(ids.length - DOCUMENTS_BEHIND_PAGE) * MS_BETWEEN);
    const filter = { state: STATES[random(STATES.length)], createdAt: { $gte: first } };
    const sort = { createdAt: 1 };
    return opMsg({ find: COLLECTION, filter, sort, limit: PAGE_DOCUMENTS, lsid, $db: DATABASE });
  }

  function update(): Buffer {
    const n = random(ids.length);
    const state = ((states[n] as number) + 1) % STATES.length;
    states[n] = state;
    const operation = { q: { _id: ids[n] }, u: { $set: { state: STATES[state] } } };
    return opMsg({ update: COLLECTION, ordered: true, lsid, $db: DATABASE }, 'updates', [operation]);
  }

  return {
    fill: (count) => insert(Array.from({ length: count }, newDocument)),
    next(operation) {
      switch (operation) {
        case 'findOne':
          return findOne();
        case 'page':
          return page();
        case 'insert':
          return insert([newDocument()]);
        case 'update':
          return update();
      }
    },
  };
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
