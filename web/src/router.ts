// Where the page is: #/play?game=gdl/nim. The address alone says what is shown, so it can be kept and sent.

import { useEffect, useState } from 'preact/hooks';

export const screens = ['library', 'editor', 'play', 'why', 'strategy', 'graph', 'tree', 'tournament'] as const;
export type Screen = (typeof screens)[number];
export type Args = Record<string, string>;

export interface Route { screen: Screen; args: URLSearchParams }

export function route(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const screen = screens.find((name) => name === path) ?? 'library';
  return { screen, args: new URLSearchParams(query) };
}

export function href(screen: Screen, args: Args = {}): string {
  // Some signs may stand as they are in what follows the #, and are easier to read.
  const query = new URLSearchParams(args).toString().replace(/%(2F|3B|3A|2C)/g, (sign) => decodeURIComponent(sign));
  return `#/${screen}${query ? `?${query}` : ''}`;
}

export function go(screen: Screen, args: Args = {}): void {
  location.hash = href(screen, args);
}

// Notes new arguments in the address of a screen that shows them already; no step back leads to the old ones.
export function amend(args: Args): void {
  history.replaceState(null, '', href(route().screen, args));
}

// The same, and the screen shows what the new arguments say.
export function turn(args: Args): void {
  amend(args);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const [current, show] = useState(route);
  useEffect(() => {
    const follow = () => show(route());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return current;
}
