// Keeps the page usable without a network. The build fills in the names of the page's files and a
// version made of their contents; each version has a cache of its own, so that a page never mixes
// files of two versions. A new version waits until the person reloads.
const FILES = ["assets/AgentChooser-BKf2SXyy.css","assets/AgentChooser-VaU7romk.js","assets/Analyze-BNdN24Gb.css","assets/Analyze-DpLBej-U.js","assets/Lab-Bs3kD83v.js","assets/Lab-Qo0EwY_h.css","assets/Learn-C2q-bQI4.css","assets/Learn-DYJm-w3Y.js","assets/Review-CPjUDENj.css","assets/Review-D2v-qeBU.js","assets/Statistics-B1-g0hQY.css","assets/Statistics-CEHSCbU8.js","assets/Waiting-CWh7vjcy.js","assets/Waiting-Dpq0iC4R.css","assets/Watch-BNPF3tj5.css","assets/Watch-H7ifpxuQ.js","assets/__vite-browser-external-CB9T68pL.js","assets/__vite-browser-external-LHqabUsJ.js","assets/__vite-browser-external-UfK9GVxM.js","assets/curve-B021km2f.js","assets/engine_bg-B0lg0lsO.wasm","assets/games-CbHTIlk1.js","assets/games.worker-yZxIYOos.js","assets/index-B0h4WU9-.js","assets/index-De-PIN1L.css","assets/load.svelte-BNJ-6SHH.js","assets/rolldown-runtime-WkwZ5CU-.js","assets/route-BRlO7l1v.css","assets/route.svelte-CWnrJezj.js","assets/worker-CchxgaGX.js","icon-192.png","icon-512.png","icon.svg","manifest.webmanifest"];
const PAGE = 'deminer-page-bec3e129';
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
