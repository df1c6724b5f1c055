export const word = 'line';
