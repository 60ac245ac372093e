import * as usage from '../usage/rpc.ts';
import { route, routesOf } from './route.ts';

export const usageRoutes = routesOf(usage, {
  queryUsage: route('GET /usage', 'viewer', { summary: 'Read requests, outcomes, and latencies over time' }),
  totalUsage: route('GET /usage/total', 'viewer', {
    summary: 'Read requests, outcomes, and latencies of a period, most requests first',
    errors: ['query-timeout'],
  }),
  usageProgress: route('GET /usage/progress', 'viewer', { summary: 'Read how far usage has been counted' }),
  listRequests: route('GET /requests', 'viewer', {
    summary: 'List requests of the public API, newest first',
    errors: ['query-timeout'],
  }),
  getRequest: route('GET /requests/:request_id', 'viewer', { summary: 'Read a request of the public API' }),
  keyUses: route('GET /key-uses', 'viewer', {
    summary: 'List the last use of each API key of an application',
  }),
});
