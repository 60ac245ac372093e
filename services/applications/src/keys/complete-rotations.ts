import type { ApiKeyStore } from './api-key-store.ts';

const BATCH_SIZE = 100;

/** Finishes rotations that a crash left between their two writes. The successor is written as it was decided, once. */
export async function completeRotations(apiKeys: ApiKeyStore): Promise<void> {
  let rotations = await apiKeys.findIncompleteRotations(BATCH_SIZE);
  while (rotations.length > 0) {
    for (const rotation of rotations) await apiKeys.completeRotation(rotation);
    rotations = await apiKeys.findIncompleteRotations(BATCH_SIZE);
  }
}
