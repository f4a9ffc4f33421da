// The frame around every screen: navigation, language, light and dark, and what to show when something breaks.

import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { setLanguage, useLanguage, useWords } from './i18n';
import { href, type Screen, useRoute } from './router';
import { setting } from './setting';
import { Notice, Spinner } from './ui';

type ScreenComponent = ComponentType<{ args: URLSearchParams }>;

// Fetched when they are first shown.
const load: Record<Screen, () => Promise<{ default: ScreenComponent }>> = {
  library: () => import('./screens/library'),
  editor: () => import('./screens/editor'),
  play: () => import('./screens/play'),
  why: () => import('./screens/why'),
  strategy: () => import('./screens/strategy'),
  graph: () => import('./screens/graph'),
  tree: () => import('./screens/tree'),
  tournament: () => import('./screens/tournament'),
};

const theme = setting('theme', ['auto', 'light', 'dark'] as const, 'auto');
document.documentElement.dataset.theme = theme.get();

export function App() {
  const t = useWords(words);
  const { screen, args } = useRoute();
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>{t('skip')}</a>
      <Header screen={screen} />
      <main id="main" tabIndex={-1}>
        {/* Another game or another play is another screen, with nothing left of the one before. */}
        <Guard key={`${screen} ${args.get('game')} ${args.get('moves')}`} words={t('broken')}>
          <Shown screen={screen} args={args} />
        </Guard>
      </main>
    </>
  );
}

// The address says which screen is shown, so the link must not follow it.
function skip(event: Event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Header({ screen }: { screen: Screen }) {
  const t = useWords(words);
  const places = ['library', 'editor', 'tournament'] as const;
  return (
    <header class="site">
      <a class="brand" href={href('library')}>Zermelo</a>
      <nav aria-label={t('navigation')}>
        {places.map((place) => (
          <a key={place} href={href(place)} aria-current={place === screen ? 'page' : undefined}>{t(place)}</a>
        ))}
      </nav>
      <LanguageSwitch />
      <ThemeSwitch />
    </header>
  );
}

function LanguageSwitch() {
  const other = useLanguage() === 'en' ? 'fr' : 'en';
  return (
    <button type="button" class="button quiet" lang={other} onClick={() => setLanguage(other)}>
      {other === 'fr' ? 'Français' : 'English'}
    </button>
  );
}

function ThemeSwitch() {
  const t = useWords(words);
  const current = theme.use();
  useEffect(() => { document.documentElement.dataset.theme = current; }, [current]);
  return (
    <select class="quiet" aria-label={t('theme')} value={current} onChange={(event) => theme.set(event.currentTarget.value as typeof current)}>
      <option value="auto">◐ {t('auto')}</option>
      <option value="light">☀ {t('light')}</option>
      <option value="dark">☾ {t('dark')}</option>
    </select>
  );
}

function Shown({ screen, args }: { screen: Screen; args: URLSearchParams }) {
  const t = useWords(words);
  const [Loaded, show] = useState<ScreenComponent | null>(null);
  const [problem, tell] = useState<unknown>(null);
  useEffect(() => {
    load[screen]().then((module) => show(() => module.default), tell);
  }, [screen]);
  if (problem) throw problem;
  return Loaded ? <Loaded args={args} /> : <Spinner label={t('loading')} />;
}

class Guard extends Component<{ words: string; children: ComponentChildren }, { problem: unknown }> {
  state = { problem: null as unknown };
  static getDerivedStateFromError(problem: unknown) { return { problem }; }
  render() {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return <Notice tone="bad"><strong>{this.props.words}</strong><p>{problem instanceof Error ? problem.message : String(problem)}</p></Notice>;
  }
}

const words = {
  skip: { en: 'Skip to the content', fr: 'Aller au contenu' },
  navigation: { en: 'Main', fr: 'Principale' },
  library: { en: 'Games', fr: 'Jeux' },
  editor: { en: 'Editor', fr: 'Éditeur' },
  tournament: { en: 'Tournaments', fr: 'Tournois' },
  theme: { en: 'Colours', fr: 'Couleurs' },
  auto: { en: 'Auto', fr: 'Auto' },
  light: { en: 'Light', fr: 'Clair' },
  dark: { en: 'Dark', fr: 'Sombre' },
  loading: { en: 'Loading …', fr: 'Chargement …' },
  broken: { en: 'Something went wrong.', fr: 'Une erreur s’est produite.' },
};
