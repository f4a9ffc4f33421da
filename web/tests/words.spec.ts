// Words that are put into a text, and values that are read from a data file.

import { readData } from '../src/draw/data_file';
import { fill } from '../src/elision';
import { expect, test } from './server';

const filled = (text: string, word: string, language: 'en' | 'fr' = 'fr') => fill(text, /\{(\w+)\}/, () => word, language);

test('de, que, le and la lose their vowel before a vowel and a mute h', () => {
  for (const [word, said] of Object.entries({
    Alice: 'd’Alice', bob: 'de bob', Hélène: 'd’Hélène', Édith: 'd’Édith', Othello: 'd’Othello', 'Haricots': 'de Haricots', habit: 'd’habit',
    Hex: 'de Hex', Yvonne: 'd’Yvonne', Yahtzee: 'de Yahtzee', x: 'de x', o: 'de o', 'a 1': 'de a 1', '∃': 'de ∃', 11: 'de 11', onze: 'de onze',
    'le hasard': 'du hasard', 'les noirs': 'des noirs', 'la banque': 'de la banque',
  })) expect(filled('Tous les coups de {role}', word)).toBe(`Tous les coups ${said}`);
  expect(filled('ce que {role} pense', 'alice')).toBe('ce qu’alice pense');
  expect(filled('le {game}', 'échiquier')).toBe('l’échiquier');
});

test('what is no such word stays, and so does English', () => {
  expect(filled('le code {name}', 'alice')).toBe('le code alice');
  expect(filled('parle à {name}', 'alice')).toBe('parle à alice');
  expect(filled('d’une {name}', 'étape')).toBe('d’une étape');
  expect(filled('Moves of {role} de {role}', 'Alice', 'en')).toBe('Moves of Alice de Alice');
});

test('the items of a data file are read, with arrays over many lines, strings and comments', () => {
  expect(readData(`% n = 7;
depth = 2; n=5;
board = [1, 0, % the first row
         0, 1]; /* m = 3; */
square = [| 1, 2
          | 3, 4 |];
name = "a; % b  c"; half=1/2;
empty = ;`)).toEqual({ depth: '2', n: '5', board: '[1, 0, 0, 1]', square: '[| 1, 2 | 3, 4 |]', name: '"a; % b  c"', half: '1/2' });
});
