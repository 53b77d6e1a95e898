//! The current route, following the address, and where each room was left.

import { parseRoute, type Room, type Route } from './url.ts';

interface Router {
  route: Route;
  /** The last address of each room, so that its tab leads back there. */
  left: Partial<Record<Room, string>>;
}

export const router: Router = $state({ route: parseRoute(location.hash), left: {} });

addEventListener('hashchange', () => {
  router.route = parseRoute(location.hash);
  remember(location.hash);
});
remember(location.hash);

/** Goes somewhere, as a link would. */
export function go(fragment: string): void {
  location.hash = fragment;
}

/** Writes what is shown into the address, without a new entry in the history. */
export function settle(fragment: string): void {
  if (fragment === location.hash) return;
  // The room may be left already: the address changes before its event arrives.
  if (parseRoute(location.hash).room !== parseRoute(fragment).room) return;
  history.replaceState(null, '', fragment);
  remember(fragment);
}

function remember(fragment: string): void {
  const { room } = parseRoute(fragment);
  if (room) router.left[room] = fragment;
}
