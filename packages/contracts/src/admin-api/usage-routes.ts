import * as usage from '../rpc/usage.ts';
import { route } from './route.ts';

export const usageRoutes = {
  queryUsage: route('GET', '/usage', usage.queryUsage, {
    summary: 'Requests, outcomes and latencies over time',
    access: 'viewer',
  }),
  totalUsage: route('GET', '/usage/total', usage.totalUsage, {
    summary: 'Requests, outcomes and latencies of a whole period, most requests first',
    access: 'viewer',
  }),
  usageProgress: route('GET', '/usage/progress', usage.usageProgress, {
    summary: 'How far requests are counted',
    access: 'viewer',
  }),
  keyUses: route('GET', '/key-uses', usage.keyUses, {
    summary: 'When the API keys of an application were last used',
    access: 'viewer',
  }),
};
