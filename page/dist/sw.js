// Keeps the page usable when the server is away: all its files are kept when it is first visited.
// The page itself is asked for anew each time, files with hashed names never change. Answers of
// the engine are never kept. The build fills in the names.
const FILES = ["assets/Analyze-BNdN24Gb.css","assets/Analyze-DR-r5L70.js","assets/Lab--SlqqYu8.js","assets/Lab-DEUYP-nI.css","assets/Review-3s3HOzAp.js","assets/Review-CPjUDENj.css","assets/Statistics-C1VIaKze.css","assets/Statistics-Qwb5xmcS.js","assets/Waiting-DoC4a6Nh.js","assets/Waiting-Dpq0iC4R.css","assets/Watch-Ckehip0R.js","assets/Watch-D3AMfUr3.css","assets/curve-B021km2f.js","assets/index-Cr_kVnqU.css","assets/index-CxUHlBGF.js","assets/load.svelte-BSNm1rue.js","assets/route-BRlO7l1v.css","assets/route.svelte-DDqwdn0S.js","assets/share-8s5TFLwe.js","icon.svg","manifest.webmanifest"];
const CACHE = 'deminer-page-a4a5e78d';

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
