// Keeps the page usable when the server is away: all its files are kept when it is first visited.
// The page itself is asked for anew each time, files with hashed names never change. Answers of
// the engine are never kept. The build fills in the names.
const FILES = ["assets/Analyze-CTUeecwZ.css","assets/Analyze-D4PcFdbA.js","assets/Lab-CfKM1E_b.js","assets/Lab-DEUYP-nI.css","assets/Legend-DQMwxNuZ.css","assets/Legend-DjahnehN.js","assets/Review-CZYamL3G.css","assets/Review-CmEnjd_k.js","assets/Watch-D2yrav3U.css","assets/Watch-kaC0znGj.js","assets/index-BlUV_Wfu.css","assets/index-Djwozqhy.js","assets/load.svelte-BQuoQALy.js","assets/toast-BRlO7l1v.css","assets/toast.svelte-Djjvir3d.js","icon.svg","manifest.webmanifest"];
const CACHE = 'deminer-page-65f42f4f';

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
