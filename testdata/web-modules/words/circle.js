export const word = 'circle';
