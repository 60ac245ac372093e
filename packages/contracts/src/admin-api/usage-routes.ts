import * as usage from '../usage/rpc.ts';
import { route } from './route.ts';

export const usageRoutes = {
  queryUsage: route('GET', '/usage', usage.queryUsage, {
    summary: 'Read requests, outcomes, and latencies over time',
    access: 'viewer',
  }),
  totalUsage: route('GET', '/usage/total', usage.totalUsage, {
    summary: 'Read requests, outcomes, and latencies of a period, most requests first',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  usageProgress: route('GET', '/usage/progress', usage.usageProgress, {
    summary: 'Read how far usage has been counted',
    access: 'viewer',
  }),
  listRequests: route('GET', '/requests', usage.listRequests, {
    summary: 'List requests of the public API, newest first',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  getRequest: route('GET', '/requests/:request_id', usage.getRequest, {
    summary: 'Read a request of the public API',
    access: 'viewer',
  }),
  keyUses: route('GET', '/key-uses', usage.keyUses, {
    summary: 'List the last use of each API key of an application',
    access: 'viewer',
  }),
};
