// Keeps the page usable when the server is away: all its files are kept when it is first visited.
// The page itself is asked for anew each time, files with hashed names never change. Answers of
// the engine are never kept. The build fills in the names.
const FILES = ["assets/Analyze-Drh2Qmua.js","assets/Analyze-j136C176.css","assets/Lab-BWYhVnJM.js","assets/Lab-DEUYP-nI.css","assets/Review-DYkSNPQ0.js","assets/Review-LBdbN2WW.css","assets/Statistics-BmjDLq25.js","assets/Statistics-C6nbMpik.css","assets/Waiting-01HW01C2.js","assets/Waiting-Dpq0iC4R.css","assets/Watch-Bey5yhZS.css","assets/Watch-MuX-WgF6.js","assets/curve-B021km2f.js","assets/index-BSyjrh00.js","assets/index-Be8hPt5S.css","assets/load.svelte-KXcMrROY.js","assets/share-CGF4iiXd.js","assets/toast-BRlO7l1v.css","assets/toast.svelte-DD9iLpZ_.js","icon.svg","manifest.webmanifest"];
const CACHE = 'deminer-page-de97ae1e';

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
