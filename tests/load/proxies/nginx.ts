import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

/** Writes the configuration of one nginx process that keeps its connections to the upstream open, and returns its arguments. */
export function nginxArguments(options: { folder: string; port: number; upstream: string }): string[] {
  const { folder, port, upstream } = options;
  const path = join(folder, `nginx-${port}.conf`);
  writeFileSync(
    path,
    `daemon off; master_process off; pid ${folder}/nginx-${port}.pid; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/nginx-body;
  proxy_temp_path ${folder}/nginx-proxy;
  fastcgi_temp_path ${folder}/nginx-fastcgi;
  uwsgi_temp_path ${folder}/nginx-uwsgi;
  scgi_temp_path ${folder}/nginx-scgi;
  keepalive_requests 1000000000;
  upstream payments { server ${new URL(upstream).host}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://payments; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`,
  );
  return ['-c', path];
}
