// Keeps the page usable when the server is away: the page itself is asked for anew each time and
// kept as a spare, files with hashed names never change. Answers of the engine are never kept.
const CACHE = 'deminer-page-1';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['./', './icon.svg'])).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.includes('/api/')) return;
  if (url.pathname.includes('/assets/')) event.respondWith(fromCacheFirst(request));
  else if (request.mode === 'navigate' || url.pathname.endsWith('/icon.svg')) event.respondWith(fromNetworkFirst(request));
});

async function fromCacheFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function fromNetworkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (fault) {
    const kept = (await cache.match(request)) ?? (await cache.match('./'));
    if (kept) return kept;
    throw fault;
  }
}
