import { button } from '../shared.js';

export const begin = async () => {
  const { word } = await import('../words/line.js');
  button(word);
};
