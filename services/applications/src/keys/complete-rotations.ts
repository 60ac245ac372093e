import type { ApiKeyStore } from './api-key-store.ts';

const BATCH_SIZE = 100;

/** Finishes rotations that a crash interrupted between their two writes. Inserts each decided successor once. */
export async function completeRotations(apiKeys: ApiKeyStore): Promise<void> {
  let rotations = await apiKeys.findIncompleteRotations(BATCH_SIZE);
  while (rotations.length > 0) {
    for (const rotation of rotations) await apiKeys.completeRotation(rotation);
    rotations = await apiKeys.findIncompleteRotations(BATCH_SIZE);
  }
}
