export const words = {
  board: { en: 'Board', fr: 'Plateau' },
  state: { en: 'Position', fr: 'Position' },
  place: { en: 'column {x}, row {y}', fr: 'colonne {x}, ligne {y}' },
  empty: { en: 'empty', fr: 'vide' },
  canPlay: { en: 'can be played', fr: 'jouable' },
  chosen: { en: 'chosen', fr: 'choisi' },
  target: { en: 'can move here', fr: 'destination possible' },
  changed: { en: 'just changed', fr: 'vient de changer' },
  hinted: { en: 'hint', fr: 'conseil' },
  keys: {
    en: 'Arrow keys go over the board, Enter plays, Escape takes a choice back.',
    fr: 'Les flèches parcourent le plateau, Entrée joue, Échap annule un choix.',
  },
  which: { en: 'Which move?', fr: 'Quel coup ?' },
  nothing: { en: 'Nothing is to be seen yet.', fr: 'Rien n’est encore visible.' },
};
