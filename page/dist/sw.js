// Keeps the page usable when the server is away: all its files are kept when it is first visited.
// The page itself is asked for anew each time, files with hashed names never change. Answers of
// the engine are never kept. The build fills in the names.
const FILES = ["assets/AgentChooser-BDtMjGM_.js","assets/AgentChooser-BKf2SXyy.css","assets/Analyze-BNdN24Gb.css","assets/Analyze-DM_Se7CE.js","assets/Lab-CERnjRjt.js","assets/Lab-DT2GfwRb.css","assets/Review-CPjUDENj.css","assets/Review-Cqr5TYxE.js","assets/Statistics-B1-g0hQY.css","assets/Statistics-C8snbx71.js","assets/Waiting-CrgenIp6.js","assets/Waiting-Dpq0iC4R.css","assets/Watch-BNPF3tj5.css","assets/Watch-apoDG-Um.js","assets/curve-B021km2f.js","assets/games-CYaUJvs7.js","assets/index-Cr_kVnqU.css","assets/index-DctdGS1z.js","assets/load.svelte-CDsiPibk.js","assets/share-BRlO7l1v.css","assets/share-Ci4Ch0ZV.js","icon.svg","manifest.webmanifest"];
const CACHE = 'deminer-page-72711d65';

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
