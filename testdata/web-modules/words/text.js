export const word = 'text';
