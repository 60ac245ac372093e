import { createContext } from 'svelte';
import type { createLiveUpdates } from './live-updates.svelte.ts';

// Not beside the stream, which only the layout loads.
export const [getLiveUpdates, setLiveUpdates] = createContext<ReturnType<typeof createLiveUpdates>>();
