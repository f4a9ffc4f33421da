// What the program tells in French: limits, remarks and the players' descriptions, by pattern (what it refuses or finds
// comes in the language of the request). `{}` stands for whatever
// is quoted, and comes again in the same order (a number says in which). What no pattern knows stays as it is.

import { fill } from './elision';
import { useLanguage, type Language } from './i18n';

const phrases: [string, string][] = [
  // limits
  ['time limit reached', 'limite de temps atteinte'],
  ['memory limit reached', 'limite de mémoire atteinte'],
  ['interrupted', 'interrompu'],
  ['finished', 'terminé'],
  ['not solved in this time', 'non résolu dans ce temps'],
  ['{} while MiniZinc compiled the model', '{} pendant que MiniZinc compilait le modèle'],
  ['raise the limit or take a smaller instance', 'augmentez la limite ou prenez une instance plus petite'],
  ['match {}: {}', 'partie {} : {}'],
  // remarks of players
  ['solved', 'résolu'],
  ['depth {}', 'profondeur {}'],
  ['depth {} to {}', 'profondeur de {} à {}'],
  ['one step ahead', 'un coup d’avance'],
  ['what is left is solved', 'ce qui reste est résolu'],
  ['{} information sets', '{} ensembles d’information'],
  ['no position is known that agrees with what was seen', 'aucune position connue ne s’accorde avec ce qui a été vu'],
  ['{} positions agree with what was seen', '{} positions s’accordent avec ce qui a été vu'],
  ['{} positions agree with what was seen, a sample', '{} positions s’accordent avec ce qui a été vu, un échantillon'],
  ['{} % resolution, exploration {}, filter {}, transfer {}, symmetry', '{} % de résolution, exploration {}, filtre {}, transfert {}, symétrie'],
  ['{} % resolution, exploration {}, filter {}, transfer {}, no symmetry', '{} % de résolution, exploration {}, filtre {}, transfert {}, sans symétrie'],
  ['the game is not solved', 'le jeu n’est pas résolu'],
  ['the game is not solved: moves are hidden', 'le jeu n’est pas résolu : les coups sont cachés'],
  ['the game is not solved: several players move at once', 'le jeu n’est pas résolu : plusieurs joueurs jouent à la fois'],
  ['the game is not solved: no plan guarantees anything', 'le jeu n’est pas résolu : aucun plan ne garantit rien'],
  ['the game is not solved: {}', 'le jeu n’est pas résolu : {}'],
  ['solved, if all players play optimally', 'résolu, si tous jouent au mieux'],
  ['solved, with a mixed strategy', 'résolu, avec une stratégie mixte'],
  ['solved, with a plan', 'résolu, avec un plan'],
  // engines
  ['auto', 'automatique'],
  ['attractors', 'attracteurs'],
  ['alpha-beta', 'alpha-bêta'],
  ['proof-number', 'nombres de preuve'],
  ['quantified search', 'recherche quantifiée'],
  ['stochastic search', 'recherche stochastique'],
  ['equilibrium', 'équilibre'],
  ['value-iteration', 'itération de valeurs'],
  ['checking the strategy of {}', 'vérification de la stratégie de {}'],
  ['checking the policy', 'vérification de la politique'],
  ['checking the equilibrium', 'vérification de l’équilibre'],
  // players
  ['plays random moves', 'joue au hasard'],
  ['plays the move with the best goal one step ahead', 'joue le coup du meilleur gain à un coup d’avance'],
  ['Monte Carlo tree search with upper confidence bounds (UCT)', 'recherche arborescente Monte-Carlo à bornes de confiance (UCT)'],
  ['Monte Carlo tree search with generalised rapid action value estimation (GRAVE)', 'recherche arborescente Monte-Carlo à estimation rapide généralisée (GRAVE)'],
  ['expectimax over the coming turns and Monte Carlo tree search on a filtered network, in a configuration that is raced on the game at hand',
    'expectimax sur les prochains tours et recherche arborescente Monte-Carlo sur un réseau filtré, dans une configuration mise à l’épreuve sur ce jeu'],
  ['MAC-UCB (Koriche et al. 2015): turns resolved by MAC as stochastic CSPs, solutions estimated by UCB1',
    'MAC-UCB (Koriche et al. 2015) : tours résolus par MAC comme CSP stochastiques, solutions estimées par UCB1'],
  ['MAC-UCB-SYM (Koriche et al. 2016): MAC-UCB, and symmetric turns are resolved once',
    'MAC-UCB-SYM (Koriche et al. 2016) : MAC-UCB, où les tours symétriques sont résolus une fois'],
  ['iterative deepening alpha-beta with a heuristic learned from random plays',
    'alpha-bêta à approfondissement itératif, avec une heuristique apprise de parties au hasard'],
  ['counterfactual regret minimisation (CFR), for hidden and simultaneous moves',
    'minimisation du regret contrefactuel (CFR), pour coups cachés ou simultanés'],
  ['plays optimally where the game is solved; another player plays the rest',
    'joue au mieux où le jeu est résolu ; un autre joueur joue le reste'],
];

const escape = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
const patterns = phrases.map(([english, french]) =>
  [new RegExp(`^${escape(english).replaceAll('{}', '(.+?)')}$`, 's'), french] as const);

export function inWords(said: string, language: Language): string {
  if (language === 'en') return said;
  for (const [pattern, french] of patterns) {
    const found = pattern.exec(said);
    if (!found) continue;
    let next = 1;
    // What is quoted may be a message itself.
    return fill(french, /\{()\}/, () => inWords(found[next++] ?? '', language), language);
  }
  const parts = said.split('; ');
  if (parts.length > 1 && parts.some((part) => inWords(part, language) !== part)) return parts.map((part) => inWords(part, language)).join(' ; ');
  return said;
}

export function useEngineWords(): (said: string) => string {
  const language = useLanguage();
  return (said) => inWords(said, language);
}
