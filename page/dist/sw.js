// Keeps the page usable when the server is away: all its files are kept when it is first visited.
// The page itself is asked for anew each time, files with hashed names never change. Answers of
// the engine are never kept. The build fills in the names.
const FILES = ["assets/AgentChooser-BKf2SXyy.css","assets/AgentChooser-CZgoC22N.js","assets/Analyze-BNdN24Gb.css","assets/Analyze-bxNZnMWU.js","assets/Lab-DT2GfwRb.css","assets/Lab-DZzLYvAS.js","assets/Review-B7xZcbrG.js","assets/Review-CPjUDENj.css","assets/Statistics-B1-g0hQY.css","assets/Statistics-CdcMbTyB.js","assets/Waiting-CrgenIp6.js","assets/Waiting-Dpq0iC4R.css","assets/Watch-BNPF3tj5.css","assets/Watch-DmZX0oii.js","assets/curve-B021km2f.js","assets/games-CYaUJvs7.js","assets/index-Cr_kVnqU.css","assets/index-L6r2BG25.js","assets/load.svelte-CDsiPibk.js","assets/share-BRlO7l1v.css","assets/share-Ci4Ch0ZV.js","icon.svg","manifest.webmanifest"];
const CACHE = 'deminer-page-e4168185';

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
