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
    en: 'Use the arrow keys to move over the board, Enter to play, Escape to cancel a choice.',
    fr: 'Utilisez les flèches pour parcourir le plateau, Entrée pour jouer, Échap pour annuler un choix.',
  },
  which: { en: 'Which move?', fr: 'Quel coup ?' },
  nothing: { en: 'There is nothing to see yet.', fr: 'Rien n’est encore visible.' },
};
