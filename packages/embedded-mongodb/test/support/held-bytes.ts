import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of this process's buffers that something still refers to. Without the collection, the figure depends on when V8 collects. */
export function heldBytes(): number {
  collectGarbage();
  // V8 frees buffers in the background, and waits for that at the start of the next collection.
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
