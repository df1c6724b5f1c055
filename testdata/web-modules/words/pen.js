export const word = 'pen';
