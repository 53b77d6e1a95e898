import './app.css';
import './board/mine-board.ts';
import { mount } from 'svelte';
import App from './App.svelte';
import { applyTheme } from './state/settings.svelte.ts';

applyTheme();
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without it the page still works; it only cannot be opened while the server is away.
  navigator.serviceWorker.register('./sw.js').catch(() => undefined);
}
