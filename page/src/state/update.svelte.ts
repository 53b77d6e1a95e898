//! The page kept for use without a network, and newer versions of it.

class Update {
  /** Whether a newer version waits for a reload. */
  ready = $state(false);
  #waiting: ServiceWorker | null = null;

  /** Keeps the page in this browser and looks for newer versions. */
  async register(): Promise<void> {
    const registration = await navigator.serviceWorker.register('./sw.js', { updateViaCache: 'none' });
    this.#found(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed') this.#found(worker);
      });
    });
    // A page that stays open for days looks by itself; without a network it keeps what it has.
    setInterval(() => registration.update().catch(() => undefined), 3_600_000);
  }

  /** Changes to the newer version; the game in progress is kept. */
  take(): void {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    this.#waiting?.postMessage('take over');
  }

  /** The first version is no update. */
  #found(worker: ServiceWorker | null): void {
    if (!worker || !navigator.serviceWorker.controller) return;
    this.#waiting = worker;
    this.ready = true;
  }
}

export const update = new Update();
