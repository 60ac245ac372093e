import { type DroppingProxy, startDroppingProxy } from '../platform/dropping-proxy.ts';
import type { Fault } from './programme.ts';
import type { Random } from './random.ts';

/** Connections that can lose responses. */
export interface UnreliableNetwork {
  /** Starts a proxy in front of a server. Returns the URL at which clients reach the server. */
  reach(upstreamUrl: string): Promise<string>;
  /** While it lasts, this share of the responses is lost, and their connections are reset. */
  losingResponses(share: number, operations: number): Fault;
  /** Responses that were lost so far. */
  lost(): number;
  stop(): Promise<void>;
}

export function createUnreliableNetwork(random: Random): UnreliableNetwork {
  const proxies: DroppingProxy[] = [];
  let lostShare = 0;
  return {
    async reach(upstreamUrl) {
      const proxy = await startDroppingProxy(upstreamUrl, () => random.chance(lostShare));
      proxies.push(proxy);
      return proxy.url;
    },
    losingResponses: (share, operations) => ({
      name: `${share * 100} % of the responses are lost for ${operations} operations`,
      async inject(load) {
        lostShare = share;
        await load.complete(operations);
        lostShare = 0;
      },
    }),
    lost: () => proxies.reduce((total, { dropped }) => total + dropped(), 0),
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
    },
  };
}
