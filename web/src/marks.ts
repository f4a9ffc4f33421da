// What games are like, in words.

import type { Tag } from './api';
import type { Language } from './i18n';

export const marks: Record<Tag, Record<Language, string>> = {
  turns: { en: 'In turn', fr: 'À tour de rôle' },
  simultaneous: { en: 'At once', fr: 'Simultané' },
  dice: { en: 'Dice', fr: 'Dés' },
  hidden: { en: 'Hidden moves', fr: 'Coups cachés' },
  puzzle: { en: 'Puzzle', fr: 'Casse-tête' },
  graph: { en: 'Graph', fr: 'Graphe' },
  quantified: { en: 'Quantified', fr: 'Quantifié' },
  strategic: { en: 'Strategic', fr: 'Stratégique' },
  stochastic: { en: 'Stochastic', fr: 'Stochastique' },
  planning: { en: 'Planning', fr: 'Planification' },
};
