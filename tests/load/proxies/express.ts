import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** Express with http-proxy-middleware on a port, in front of an upstream. Without an agent, it would open a connection for each request. */
const [port, upstream] = process.argv.slice(2) as [string, string];
express()
  .use(createProxyMiddleware({ target: upstream, agent: new Agent({ keepAlive: true }) }))
  .listen(Number(port), '127.0.0.1');
