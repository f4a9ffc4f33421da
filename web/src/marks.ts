// What games are like, in words.

import type { Tag } from './api';
import type { Language } from './i18n';

export const marks: Record<Tag, Record<Language, string>> = {
  turns: { en: 'Turn-based', fr: 'À tour de rôle' },
  simultaneous: { en: 'Simultaneous', fr: 'Simultané' },
  dice: { en: 'Dice', fr: 'Dés' },
  hidden: { en: 'Hidden moves', fr: 'Coups cachés' },
  puzzle: { en: 'Puzzle', fr: 'Casse-tête' },
  graph: { en: 'Graph', fr: 'Graphe' },
  quantified: { en: 'Quantified', fr: 'Quantifié' },
  strategic: { en: 'Strategic', fr: 'Stratégique' },
  stochastic: { en: 'Stochastic', fr: 'Stochastique' },
  planning: { en: 'Planning', fr: 'Planification' },
};

// Of the themes that authors give, those with words of their own; others are shown as they are.
const themes: Record<string, Record<Language, string>> = {
  alignment: { en: 'Alignment', fr: 'Alignement' },
  arcade: { en: 'Arcade', fr: 'Arcade' },
  capture: { en: 'Capture', fr: 'Prises' },
  cards: { en: 'Cards', fr: 'Cartes' },
  chess: { en: 'Chess', fr: 'Échecs' },
  classic: { en: 'Classic', fr: 'Classique' },
  connection: { en: 'Connection', fr: 'Connexion' },
  cooperative: { en: 'Cooperative', fr: 'Coopératif' },
  counting: { en: 'Counting', fr: 'Comptage' },
  maze: { en: 'Maze', fr: 'Labyrinthe' },
  'misère': { en: 'Misère', fr: 'Misère (qui perd gagne)' },
  placement: { en: 'Placement', fr: 'Placement' },
  race: { en: 'Race', fr: 'Course' },
  territory: { en: 'Territory', fr: 'Territoire' },
  'mac-ucb': { en: 'MAC-UCB', fr: 'MAC-UCB' },
  'mac-ucb-sym': { en: 'MAC-UCB-SYM', fr: 'MAC-UCB-SYM' },
};
export const theme = (name: string, language: Language): string =>
  (themes[name] ?? marks[name as Tag])?.[language] ?? name;
