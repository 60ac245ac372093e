import { Gauge, type Registry } from 'prom-client';

/** Reports at every scrape which servers the process is connected to: `nats`, `mongodb`. */
export function createConnectionGauge(registry: Registry, servers: Record<string, () => boolean>): void {
  new Gauge({
    name: 'tollgate_connected',
    help: '1 while the process is connected to this server (nats, mongodb), 0 otherwise',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      for (const [server, isConnected] of Object.entries(servers))
        this.set({ server }, isConnected() ? 1 : 0);
    },
  });
}
