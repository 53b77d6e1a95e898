//! A plain static file server, below a path: it knows nothing of deminer.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png',
  '.json': 'application/json', '.webmanifest': 'application/manifest+json', '.wasm': 'application/wasm',
};

export interface StaticHost {
  url: string;
  close(): Promise<void>;
}

/** Serves a folder below `/some/path/`. */
export async function serveFolder(folder: string, below = '/some/path/'): Promise<StaticHost> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const inside = pathname.startsWith(below) ? decodeURIComponent(pathname.slice(below.length)) : null;
    const name = inside === null ? null : join(folder, normalize(`/${inside === '' ? 'index.html' : inside}`));
    if (!name || !existsSync(name) || !statSync(name).isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-length': statSync(name).size });
    createReadStream(name).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}${below}`,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    }),
  };
}
