export const word = 'star';
