//! What is shown on the boards, for all panes alike.

export type Colors = 'belief' | 'exact' | 'none';
export type Mines = 'hidden' | 'marked' | 'beside';

export class View {
  colors = $state<Colors>('belief');
  mines = $state<Mines>('hidden');
  reasons = $state(true);
  frontier = $state(false);
  chains = $state(true);
}

/** Kept while other rooms are visited. */
export const view = new View();
