export const word = 'zoom';
