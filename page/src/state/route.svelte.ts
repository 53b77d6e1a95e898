//! The current route, following the address.

import { parseRoute, type Route } from './url.ts';

export const router: { route: Route } = $state({ route: parseRoute(location.hash) });

addEventListener('hashchange', () => {
  router.route = parseRoute(location.hash);
});

/** Goes somewhere, as a link would. */
export function go(fragment: string): void {
  location.hash = fragment;
}

/** Tells the address what is shown, without a new entry in the history. */
export function settle(fragment: string): void {
  if (fragment !== location.hash) history.replaceState(null, '', fragment);
}
