// Keeps the page usable when the server is away: all its files are kept when it is first visited.
// The page itself is asked for anew each time, files with hashed names never change. Answers of
// the engine are never kept. The build fills in the names.
const FILES = ["assets/Analyse-Bx_8GffH.js","assets/Analyse-mLZFejCk.css","assets/Lab-CdybiALX.js","assets/Lab-DEUYP-nI.css","assets/Watch-D2yrav3U.css","assets/Watch-mE4BA6gI.js","assets/index-Dv9wsYcA.css","assets/index-ZWI7cZt3.js","assets/open-DQMwxNuZ.css","assets/open-g_yb6aTR.js","assets/toast-BRlO7l1v.css","assets/toast.svelte-Cmnxp1Ng.js","icon.svg","manifest.webmanifest"];
const CACHE = 'deminer-page-a22ff8e8';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['./', ...FILES])).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name.startsWith('deminer-page-') && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(forget).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.includes('/api/')) return;
  if (url.pathname.includes('/assets/')) event.respondWith(keptFirst(request));
  else event.respondWith(serverFirst(request));
});

async function keptFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function serverFirst(request) {
  try {
    return await fetch(request);
  } catch (fault) {
    const kept = (await caches.match(request)) ?? (request.mode === 'navigate' ? await caches.match('./') : undefined);
    if (kept) return kept;
    throw fault;
  }
}
