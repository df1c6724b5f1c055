export const word = 'brush';
