// Keeps the page usable without a network. The build fills in the names of the page's files and a
// version made of their contents; each version has a cache of its own, so that a page never mixes
// files of two versions. A new version waits until the person reloads.
const FILES = ["assets/AgentChooser-BKf2SXyy.css","assets/AgentChooser-Q0bIBCOn.js","assets/Analyze-BNdN24Gb.css","assets/Analyze-D1-nUCVh.js","assets/Lab-Qo0EwY_h.css","assets/Lab-ZyJbUxCD.js","assets/Learn-C2q-bQI4.css","assets/Learn-Cxk47olH.js","assets/Review-Betc0rsk.js","assets/Review-CPjUDENj.css","assets/Statistics-B1-g0hQY.css","assets/Statistics-pUogWLiV.js","assets/Waiting-BzxhOlol.js","assets/Waiting-Dpq0iC4R.css","assets/Watch-BNPF3tj5.css","assets/Watch-Bzx65LCI.js","assets/__vite-browser-external-BiHITPDA.js","assets/__vite-browser-external-CB9T68pL.js","assets/__vite-browser-external-UfK9GVxM.js","assets/curve-B021km2f.js","assets/engine_bg-DteMBlVh.wasm","assets/games-D7tCsPKC.js","assets/games.worker-BvG0P5uc.js","assets/index-B5HvYSW1.js","assets/index-De-PIN1L.css","assets/load.svelte-DcMvHXLR.js","assets/rolldown-runtime-WkwZ5CU-.js","assets/route-BRlO7l1v.css","assets/route.svelte-C1TqxgIw.js","assets/worker-BYQGu-nk.js","icon-192.png","icon-512.png","icon.svg","manifest.webmanifest"];
const PAGE = 'deminer-page-efc9f06b';
// Documents are asked for anew each time; the last answer is kept for when there is no network.
const DOCUMENTS = 'deminer-documents';
const FIRST_DOCUMENTS = ['data/agents.json', 'data/leaderboard.json', 'data/tables.json', 'data/artifacts.json', 'data/weights.json'];

self.addEventListener('install', (event) => {
  const fresh = ['./', ...FILES].map((path) => new Request(path, { cache: path.startsWith('assets/') ? 'default' : 'reload' }));
  event.waitUntil(caches.open(PAGE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener('message', (event) => {
  if (event.data === 'take over') void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith('deminer-page-') && name !== PAGE);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
  // Without these the page works; the Lab is then empty until it is first visited.
  void caches.open(DOCUMENTS).then((cache) => cache.addAll(FIRST_DOCUMENTS)).catch(() => undefined);
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const root = new URL(self.registration.scope).pathname;
  if (request.method !== 'GET' || origin !== location.origin || !pathname.startsWith(root)) return;
  const path = pathname.slice(root.length);
  if (path === '' || path === 'index.html') event.respondWith(kept('./', request));
  else if (FILES.includes(path)) event.respondWith(kept(path, request));
  else if (path.startsWith('data/')) event.respondWith(newest(request));
});

async function kept(path, request) {
  const cache = await caches.open(PAGE);
  return (await cache.match(path)) ?? fetch(request);
}

async function newest(request) {
  const cache = await caches.open(DOCUMENTS);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (fault) {
    const last = await cache.match(request);
    if (last) return last;
    throw fault;
  }
}
