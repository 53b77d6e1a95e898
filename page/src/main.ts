import './app.css';
import './board/mine-board.ts';
import { mount } from 'svelte';
import App from './App.svelte';
import { server } from './api/server.svelte.ts';
import { applyTheme } from './state/settings.svelte.ts';
import { update } from './state/update.svelte.ts';

applyTheme();
void server.look();
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without it the page still works; it only cannot be opened without a network.
  update.register().catch(() => undefined);
}
